import type { ReactNode } from "react";

export function Specimen({
  name,
  span,
  children,
}: {
  name: string;
  span: 4 | 6 | 8 | 12;
  children: ReactNode;
}) {
  return (
    <section className={`d${span}`}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}
