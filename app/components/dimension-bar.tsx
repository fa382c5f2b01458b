interface DimensionBarProps {
  part: number;
  whole: number;
  /** the figures in words: "80 of 160 shipped" */
  label: string;
}

/** A part of a whole as a thick stretch of a line between two stops. */
export function DimensionBar({ part, whole, label }: DimensionBarProps) {
  return (
    <svg className="dimbar" role="img" aria-label={label} viewBox="0 0 100 14" preserveAspectRatio="none">
      <path className="dimbar__line" d="M0 7h100" />
      <path className="dimbar__stops" d="M0 1v12M100 1v12" />
      <rect y="5" width={whole > 0 ? (100 * part) / whole : 0} height="4" />
    </svg>
  );
}
