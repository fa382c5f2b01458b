interface HourLineProps {
  hours: number;
  /** the promised range, in hours */
  from: number;
  to: number;
}

/** Hours on a line from 0 to a third past the promise; the promised range is shaded, later hours are red. */
export function HourLine({ hours, from, to }: HourLineProps) {
  const end = (to * 4) / 3;
  const at = (value: number) => `${Math.min(100, (value / end) * 100)}%`;
  const late = hours >= to;
  return (
    <svg
      className={late ? "hours is-late" : "hours"}
      width="100%"
      height="26"
      role="img"
      aria-label={`${hours} hours since payment, promised within ${from} to ${to}`}
    >
      <rect className="hours__band" x={at(from)} y="4" width={at(to - from)} height="18" />
      <line className="hours__line" x1="0" x2="100%" y1="12.5" y2="12.5" />
      <rect className="hours__done" x="0" y="10.5" width={at(hours)} height="4" />
      <rect className="hours__done" x={at(hours)} y="4.5" width="2" height="16" transform="translate(-1)" />
    </svg>
  );
}

/** The axis labels: 0, and both ends of the promise. */
export function HourScale({ from, to }: { from: number; to: number }) {
  const end = (to * 4) / 3;
  return (
    <svg className="hours__scale" width="100%" height="16" aria-hidden="true">
      <text x="0" y="12">
        0
      </text>
      <text x={`${(from / end) * 100}%`} y="12" textAnchor="middle">
        {from} h
      </text>
      <text x={`${(to / end) * 100}%`} y="12" textAnchor="middle">
        {to} h
      </text>
    </svg>
  );
}
