import type { ReactNode } from "react";

interface FactProps {
  label: ReactNode;
  value: ReactNode;
  note?: string;
  tone?: "ok" | "bad" | undefined;
}

/** A pair of a description list. */
export function Fact({ label, value, note, tone }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={tone && `is-${tone}`}>
        {value}
        {note && <small>{note}</small>}
      </dd>
    </div>
  );
}
