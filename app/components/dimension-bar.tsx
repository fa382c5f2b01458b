interface DimensionBarProps {
  part: number;
  whole: number;
  /** the addition to the part, hatched */
  next?: number;
  /** a mark on the line */
  threshold?: number;
  /** the part is too small */
  isShort?: boolean;
  /** the text alternative: "80 of 160 shipped" */
  label: string;
}

/** A part of a whole as a thick segment of a dimension line. */
export function DimensionBar({ part, whole, next = 0, threshold, isShort, label }: DimensionBarProps) {
  const percentOf = (pieces: number) => (whole > 0 ? (100 * pieces) / whole : 0);
  return (
    <svg
      className={isShort ? "dimbar is-short" : "dimbar"}
      role="img"
      aria-label={label}
      viewBox="0 0 100 14"
      preserveAspectRatio="none"
    >
      <path className="dimbar__line" d="M0 7h100" />
      <path d="M0 1v12M100 1v12" />
      {threshold !== undefined && <path className="dimbar__line" d={`M${percentOf(threshold)} 2v10`} />}
      <rect y="5" width={percentOf(part)} height="4" />
      {next > 0 && (
        <path
          className="dimbar__next"
          d={`M${percentOf(part)} 7h${percentOf(next)}`}
          pathLength={percentOf(next)}
        />
      )}
    </svg>
  );
}
