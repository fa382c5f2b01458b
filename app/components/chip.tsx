import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { count } from "./format.ts";

interface ChipProps extends ComponentProps<"button"> {
  /** whether the filter is on; undefined for a plain button */
  pressed?: boolean;
}

export function Chip({ pressed, className, children, ...rest }: ChipProps) {
  return (
    <button type="button" {...rest} className={classNames("chip", className)} aria-pressed={pressed}>
      {children}
    </button>
  );
}

/** A short label, for example a role; `strong` fills it with ink. */
export function Badge({ strong, children }: { strong?: boolean; children: ReactNode }) {
  return <span className={classNames("badge", strong && "badge--ink")}>{children}</span>;
}

/** Above this a menu entry would wrap. */
const MAX_SHOWN = 999;

/** `noun` says what the figure counts: "to ship". */
export function Count({ value, noun }: { value: number; noun: string }) {
  return (
    <span className="count" role="img" aria-label={`${count(value)} ${noun}`}>
      {value > MAX_SHOWN ? `${MAX_SHOWN}+` : value}
    </span>
  );
}
