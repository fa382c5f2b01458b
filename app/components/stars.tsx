import { classNames } from "./class-names.ts";

const star = "m10 1.6 2.6 5.5 6 .8-4.4 4.2 1.1 6-5.3-2.9-5.3 2.9 1.1-6L1.4 7.9l6-.8z";
const places = [0, 22, 44, 66, 88];
const WIDTH = 108;

/** A rating of 0 to 5, read-only; fractions fill part of a star. Values outside are clamped. */
export function Stars({ rating, large }: { rating: number; large?: boolean }) {
  const shown = Math.min(5, Math.max(0, rating));
  const whole = Math.floor(shown);
  // The gaps between stars do not count.
  const filled = whole * 22 + (shown - whole) * 20;
  return (
    <svg
      className={classNames("stars", large && "stars--large")}
      viewBox={`0 0 ${WIDTH} 20`}
      width={WIDTH}
      height="20"
      role="img"
      aria-label={`${Number(shown.toFixed(2))} out of 5 stars`}
    >
      <Row className="off" />
      <svg width={filled} height="20" viewBox={`0 0 ${filled || 1} 20`} aria-hidden="true">
        <Row />
      </svg>
    </svg>
  );
}

function Row({ className }: { className?: string }) {
  return (
    <g className={className} fill="currentColor">
      {places.map((place) => (
        <path key={place} d={star} transform={`translate(${place})`} />
      ))}
    </g>
  );
}
