import { type KeyboardEvent, useId, useState } from "react";
import { Hatch } from "./hatch.tsx";
import { useSize } from "./use-size.ts";

interface Column {
  /** on the axis, and in bold while this column is selected */
  tick: string;
  value: number;
  /** the value to compare with, drawn as a grey line */
  reference?: number | undefined;
  /** the formatted value, large in the tooltip */
  title: string;
  /** the second line of the tooltip */
  detail: string;
  /** not complete yet: hatched */
  unfinished?: boolean;
}

interface ColumnChartProps {
  summary: string;
  columns: Column[];
  /** a short axis label: "$50K" */
  axis: (value: number) => string;
}

const LEFT = 46;
const TOP = 14;
const BELOW = 34;
const MIN_LABEL_WIDTH = 46;

/** The hovered or focused column is orange and shows its value. The chart takes the height of its neighbour. */
export function ColumnChart({ summary, columns, axis }: ColumnChartProps) {
  const [box, { width, height }] = useSize<HTMLDivElement>({ width: 600, height: 372 });
  const [selected, setSelected] = useState<number | null>(null);
  const [tabStop, setTabStop] = useState(columns.length - 1);
  const hatch = useId();
  const ticks = ticksFor(Math.max(...columns.flatMap((column) => [column.value, column.reference ?? 0])));
  const top = ticks.at(-1) || 1;
  const bottom = height - BELOW;
  const y = (value: number) => bottom - (Math.max(0, value) / top) * (bottom - TOP);
  const slot = (width - LEFT) / columns.length;
  const labelEvery = Math.ceil(MIN_LABEL_WIDTH / slot);
  const shown = selected === null ? undefined : columns[selected];

  function onKey(event: KeyboardEvent<SVGSVGElement>) {
    const last = columns.length - 1;
    const steps: Record<string, number> = {
      ArrowLeft: tabStop - 1,
      ArrowRight: tabStop + 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next === undefined || next < 0 || next > last) return;
    event.preventDefault();
    setTabStop(next);
    event.currentTarget.querySelectorAll<SVGGElement>("[data-column]")[next]?.focus();
  }

  return (
    <div className="columns">
      <div ref={box} className="columns__plot">
        {/* biome-ignore lint/a11y/useSemanticElements: an SVG element has no fieldset */}
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label={summary}
          onKeyDown={onKey}
          onPointerLeave={() => setSelected(null)}
        >
          <Hatch id={hatch} size={6} />
          {ticks.map((tick) => (
            // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an SVG group without tabindex takes no focus
            <g key={tick} aria-hidden="true">
              <line className="grid-l" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 10} y={y(tick) + 4} textAnchor="end">
                {axis(tick)}
              </text>
            </g>
          ))}
          {columns.map((column, index) => (
            // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: an SVG group has no role of its own
            <g
              key={column.detail}
              data-column
              role="img"
              aria-label={`${column.detail}: ${column.title}`}
              tabIndex={index === tabStop ? 0 : -1}
              className={index === selected ? "column is-selected" : "column"}
              onPointerEnter={() => setSelected(index)}
              onFocus={() => {
                setSelected(index);
                setTabStop(index);
              }}
              onBlur={() => setSelected(null)}
            >
              <rect
                className="column__all"
                x={LEFT + index * slot}
                y={TOP}
                width={slot}
                height={bottom - TOP}
              />
              <Bar column={column} x={LEFT + index * slot} slot={slot} y={y} bottom={bottom} hatch={hatch} />
              {(index % labelEvery === (columns.length - 1) % labelEvery || index === selected) && (
                <text x={LEFT + (index + 0.5) * slot} y={height - 12} textAnchor="middle">
                  {column.tick}
                </text>
              )}
            </g>
          ))}
          <line className="axis-l" x1={LEFT} x2={width} y1={bottom} y2={bottom} />
          {shown && selected !== null && (
            <Tip column={shown} x={LEFT + (selected + 0.5) * slot} y={y(shown.value)} width={width} />
          )}
        </svg>
      </div>
      <p className="columns__readout" aria-hidden="true">
        {shown && (
          <>
            <b>{shown.title}</b> {shown.detail}
          </>
        )}
      </p>
    </div>
  );
}

interface BarProps {
  column: Column;
  x: number;
  slot: number;
  y: (value: number) => number;
  bottom: number;
  hatch: string;
}

function Bar({ column, x, slot, y, bottom, hatch }: BarProps) {
  const wide = slot * 0.6;
  const left = x + (slot - wide) / 2;
  const line = column.reference !== undefined && `M${left - 4} ${y(column.reference)}h${wide + 8}`;
  return (
    <>
      <rect
        className={column.unfinished ? "column__bar is-unfinished" : "column__bar"}
        fill={column.unfinished ? `url(#${hatch})` : undefined}
        x={left}
        y={y(column.value)}
        width={wide}
        height={bottom - y(column.value)}
      />
      {line && <path className="column__gap" d={line} />}
      {line && <path className="column__ref" d={line} />}
    </>
  );
}

const TIP_HEIGHT = 46;

/** Two lines above the selected column, kept within the drawing. */
function Tip({ column, x, y, width }: { column: Column; x: number; y: number; width: number }) {
  const wide = Math.max(112, 24 + Math.max(column.title.length * 8.4, column.detail.length * 6.2));
  const left = Math.min(Math.max(0, x - wide / 2), width - wide);
  const top = Math.max(-12, y - TIP_HEIGHT - 8);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an SVG group without tabindex takes no focus
    <g className="tip" aria-hidden="true">
      {top + TIP_HEIGHT < y && <path className="tip__stem" d={`M${x} ${top + TIP_HEIGHT}V${y}`} />}
      <rect className="tip__box" x={left} y={top} width={wide} height={TIP_HEIGHT} rx="3" />
      <text className="tip__title" x={left + 12} y={top + 19}>
        {column.title}
      </text>
      <text className="tip__detail" x={left + 12} y={top + 36}>
        {column.detail}
      </text>
    </g>
  );
}

/** At most five round steps from zero to just above the largest value: 0, 50, 100, 150, 200 for 184. */
function ticksFor(largest: number): number[] {
  if (largest <= 0) return [0];
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const steps = Math.ceil(largest / step);
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}
