const HOUR = 6.025;
const at = (hours: number) => 2 + Math.round(hours * HOUR);
const ticks = Array.from({ length: 17 }, (_, position) => position * 6);

/** The delivery promise as a dimension line: 24 to 72 working hours on a scale from the order's completion. */
export function DeliveryLine() {
  return (
    <div className="hours">
      <svg
        viewBox="0 0 600 80"
        width="600"
        height="80"
        role="img"
        aria-label="Delivery falls between 24 and 72 working hours after an order is completed"
      >
        <path d="M2 44H580" stroke="var(--line-strong)" />
        <rect x={at(24)} y="30" width={at(72) - at(24)} height="14" fill="currentColor" />
        <path d={`M${at(24)} 8V30M${at(72)} 8V30M${at(24)} 14H${at(72)}`} stroke="currentColor" />
        <path d={`M${at(24)} 14l10-4v8zM${at(72)} 14l-10-4v8z`} fill="currentColor" />
        {ticks.map((hours) => (
          <path
            key={hours}
            d={`M${at(hours)} 44v${hours % 24 === 0 ? 10 : 6}`}
            stroke="currentColor"
            strokeWidth={hours % 24 === 0 ? 1.5 : 1}
          />
        ))}
        <g className="hours__text">
          <text className="hours__start" x="2" y="72">
            Order completed
          </text>
          <text className="hours__zero" x="2" y="72">
            0
          </text>
          {[24, 48, 72].map((hours) => (
            <text key={hours} x={at(hours)} y="72" textAnchor="middle">
              {hours} h
            </text>
          ))}
        </g>
        <rect x={at(48) - 44} y="4" width="88" height="20" fill="var(--paper)" />
        <text className="hours__name" x={at(48)} y="19" textAnchor="middle">
          Delivery
        </text>
      </svg>
    </div>
  );
}
