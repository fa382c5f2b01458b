/** A value relative to the largest one. The figure is next to it, so the bar is hidden from screen readers. */
export function ShareBar({ value, largest }: { value: number; largest: number }) {
  return (
    <svg className="share" width="100%" height="8" aria-hidden="true">
      <rect className="share__all" width="100%" height="8" />
      <rect className="bar1" width={`${largest > 0 ? (value / largest) * 100 : 0}%`} height="8" />
    </svg>
  );
}
