import { useId } from "react";
import { Hatch } from "./hatch.tsx";
import { useSize } from "./use-size.ts";

export interface Part {
  id: string;
  label: string;
  value: number;
  /** from least certain (hatched) to certain (solid); empty: ended otherwise */
  fill: "hatched" | "grey" | "solid" | "empty";
}

const GAP = 2;
const MIN_WIDTH = 12;

/** Parts of a whole on one bar; a part above zero is always wide enough to be visible. */
export function StackBar({ parts, summary }: { parts: Part[]; summary: string }) {
  const [box, { width }] = useSize<HTMLDivElement>({ width: 260, height: 28 });
  const hatch = useId();
  const present = parts.filter((part) => part.value > 0);
  let x = 0;
  return (
    <div ref={box} className="stack-bar">
      <svg viewBox={`0 0 ${width} 36`} width={width} height="36" role="img" aria-label={summary}>
        <Hatch id={hatch} size={5} />
        {widthsOf(present, width).map((wide, index) => {
          const part = present[index];
          const left = x;
          x += wide + GAP;
          return (
            part && <Fill key={part.id} fill={part.fill} hatch={hatch} x={left} width={wide} height={36} />
          );
        })}
      </svg>
    </div>
  );
}

export function Swatch({ fill }: { fill: Part["fill"] }) {
  const hatch = useId();
  return (
    <svg className="swatch" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
      <Hatch id={hatch} size={5} />
      <Fill fill={fill} hatch={hatch} x={0} width={14} height={14} />
    </svg>
  );
}

interface FillProps {
  fill: Part["fill"];
  hatch: string;
  x: number;
  width: number;
  height: number;
}

function Fill({ fill, hatch, x, width, height }: FillProps) {
  if (fill === "grey" || fill === "solid")
    return <rect className={fill === "grey" ? "bar3" : "bar1"} x={x} width={width} height={height} />;
  return (
    <rect
      className="outlined"
      fill={fill === "empty" ? "none" : `url(#${hatch})`}
      x={x + 0.75}
      y={0.75}
      width={Math.max(0, width - 1.5)}
      height={height - 1.5}
    />
  );
}

/** Widths in proportion, none below the visible minimum, at the expense of the widest. */
function widthsOf(parts: Part[], width: number): number[] {
  const sum = parts.reduce((total, part) => total + part.value, 0);
  const free = width - GAP * Math.max(0, parts.length - 1);
  const widths = parts.map((part) => Math.max(MIN_WIDTH, (part.value / sum) * free));
  const excess = widths.reduce((total, wide) => total + wide, 0) - free;
  const widest = widths.indexOf(Math.max(...widths));
  return widths.map((wide, index) => (index === widest ? wide - excess : wide));
}
