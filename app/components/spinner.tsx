import { classNames } from "./class-names.ts";

interface SpinnerProps {
  /** what is loading, for example "Loading tools" */
  label: string;
  /** fills the height of a page while a session or role loads */
  page?: boolean;
}

/** The mark with its rotor turning; static with reduced motion. */
export function Spinner({ label, page }: SpinnerProps) {
  return (
    <div className={classNames("loading", page && "loading--page")} role="status">
      <RotorMark className="spin" />
      <span>{label}</span>
    </div>
  );
}

/** Without text; the caller adds it. */
export function RotorMark({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <circle cx="24" cy="24" r="20" fill="none" stroke="currentColor" strokeWidth="5" />
      <path
        d="M41.3 34.0L35.3 30.5M24.0 44.0L24.0 37.0M6.7 34.0L12.7 30.5M6.7 14.0L12.7 17.5M24.0 4.0L24.0 11.0M41.3 14.0L35.3 17.5"
        stroke="currentColor"
        strokeWidth="5"
      />
      <g className="rotor">
        <circle cx="24" cy="24" r="8.5" fill="none" stroke="var(--accent)" strokeWidth="3" />
        <path d="M24 15.5v8.5" stroke="var(--accent)" strokeWidth="4" />
      </g>
    </svg>
  );
}
