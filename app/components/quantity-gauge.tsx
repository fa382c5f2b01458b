import { count } from "./format.ts";

interface QuantityGaugeProps {
  /** NaN if it was not read */
  value: number | null;
  min: number;
  max: number;
  /** quantities to mark, such as price breaks */
  marks?: number[] | undefined;
}

/** Closer to the minimum, in percent, the diamond would cover the arrowhead. */
const HEAD_SHARE = 6;
/** In percent: where the name of a mark is clear of those of the ends, also on a phone, and of the previous one. */
const NAMES = { from: 20, to: 70, apart: 20 };

/** A dimension line from minimum to stock with a diamond at the quantity, also if it is out of range. */
export function QuantityGauge({ value, min, max, marks = [] }: QuantityGaugeProps) {
  const below = value === null || !(value >= min);
  const above = value !== null && value > max;
  const shareOf = (quantity: number) => (max === min ? 0 : ((quantity - min) / (max - min)) * 100);
  const share = below || above ? 0 : shareOf(value);
  const shown = marks.filter((mark) => mark > min && mark < max);
  let least = NAMES.from;
  const named = shown.filter((mark) => {
    const isNamed = shareOf(mark) >= least && shareOf(mark) <= NAMES.to;
    if (isNamed) least = shareOf(mark) + NAMES.apart;
    return isNamed;
  });
  const place = below ? -4 : above ? 104 : share;
  return (
    <div className="gauge" data-invalid={below || above ? "" : undefined} aria-hidden="true">
      <svg height="34" width="100%" aria-hidden="true">
        <line className="gauge__line" x1="0" x2="100%" y1="17" y2="17" />
        <line className="gauge__stop" x1="0" x2="0" y1="8" y2="26" />
        <line className="gauge__stop" x1="100%" x2="100%" y1="8" y2="26" />
        {shown.map((mark) => (
          <line
            key={mark}
            className="gauge__tick"
            x1={`${shareOf(mark)}%`}
            x2={`${shareOf(mark)}%`}
            y1="9"
            y2="25"
          />
        ))}
        {named.map((mark) => (
          <text key={mark} className="gauge__name" x={`${shareOf(mark)}%`} y="49">
            {count(mark)}+
          </text>
        ))}
        <rect className="gauge__fill" x="0" y="15" height="4" width={`${share}%`} />
        {share > HEAD_SHARE && <path className="gauge__head" d="M1 17l10-4v8z" />}
        <svg className="gauge__mark" x={`${place}%`} y="17" overflow="visible" aria-hidden="true">
          <path d="M0-11L11 0 0 11-11 0z" />
          <path d="M0-8L8 0 0 8-8 0z" />
        </svg>
      </svg>
      <span className="gauge__ends">
        <span>Min {count(min)}</span>
        <span>Stock {count(max)}</span>
      </span>
    </div>
  );
}
