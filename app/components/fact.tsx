import type { ReactNode } from "react";

interface FactProps {
  label: ReactNode;
  value: ReactNode;
  tone?: "ok" | "bad";
}

/** A pair of a description list. */
export function Fact({ label, value, tone }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={tone && `is-${tone}`}>{value}</dd>
    </div>
  );
}
