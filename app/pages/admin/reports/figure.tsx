import type { ReactNode } from "react";

export function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="kpi">
      <dt className="t-label">{label}</dt>
      <dd>
        <b>{value}</b>
      </dd>
      <dd>
        <small>{children}</small>
      </dd>
    </div>
  );
}
