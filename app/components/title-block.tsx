import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface TitleBlockProps {
  /** facts without a value are omitted */
  items: { label: string; value: ReactNode }[];
  className?: string;
}

export function TitleBlock({ items, className }: TitleBlockProps) {
  return (
    <dl className={classNames("tb", className)}>
      {items
        .filter((item) => item.value !== undefined && item.value !== null && item.value !== "")
        .map((item) => (
          <div key={item.label}>
            <dt>{item.label}</dt>
            <dd>{item.value}</dd>
          </div>
        ))}
    </dl>
  );
}
