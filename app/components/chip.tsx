import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { count } from "./format.ts";

interface ChipProps extends ComponentProps<"button"> {
  /** a quick pick or filter that is on; leave out for a plain press */
  pressed?: boolean;
}

export function Chip({ pressed, className, children, ...rest }: ChipProps) {
  return (
    <button type="button" {...rest} className={classNames("chip", className)} aria-pressed={pressed}>
      {children}
    </button>
  );
}

/** A small flat word, for example a role; `strong` fills it with ink. */
export function Badge({ strong, children }: { strong?: boolean; children: ReactNode }) {
  return <span className={classNames("badge", strong && "badge--ink")}>{children}</span>;
}

/** Above this a menu entry would break into two lines. */
const MOST = 999;

/** A figure next to a menu entry; `noun` says what it counts: "to ship". */
export function Count({ of, noun }: { of: number; noun: string }) {
  return (
    <span className="count" role="img" aria-label={`${count(of)} ${noun}`}>
      {of > MOST ? `${MOST}+` : of}
    </span>
  );
}
