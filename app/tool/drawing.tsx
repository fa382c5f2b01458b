import type { Product } from "../../api/entities.ts";
import { Picture } from "../ui/picture.tsx";

/** The tool on its plate with corner ticks and, where the measures are known, dimension lines in millimetres. */
export function ToolDrawing({ product }: { product: Product }) {
  const { name, picture, itemNumber, drawnBox, dimensions } = product;
  return (
    <div className="plate plate--ticks pdp__plate">
      <div className="draw">
        <Picture src={picture} alt={`${[name, itemNumber].filter(Boolean).join(" ")}, side view`} eager />
        {drawnBox && dimensions && <DimensionLines box={drawnBox} size={dimensions} />}
      </div>
      {itemNumber && <span className="plate__no">{itemNumber}</span>}
    </div>
  );
}

interface DimensionLinesProps {
  /** x, y, width and height within the 640 × 480 drawing */
  box: NonNullable<Product["drawnBox"]>;
  size: NonNullable<Product["dimensions"]>;
}

const OFFSET = 22;

/** The width below the tool and the height to its right, each between end stops with arrowheads. */
function DimensionLines({ box: [x, y, width, height], size }: DimensionLinesProps) {
  const [right, bottom] = [x + width, y + height];
  const [below, beside] = [bottom + OFFSET, right + OFFSET + 4];
  const middle = y + height / 2;
  return (
    <svg
      className="dims"
      viewBox="0 0 640 480"
      role="img"
      aria-label={`${size.width} by ${size.height} millimetres`}
    >
      <path
        d={`M${x} ${bottom + 6}V${below + 6}M${right} ${bottom + 6}V${below + 6}M${x} ${below}H${right}M${right + 6} ${y}H${beside + 6}M${right + 6} ${bottom}H${beside + 6}M${beside} ${y}V${bottom}`}
      />
      <path
        className="ah"
        d={`M${x} ${below}l11-4v8zM${right} ${below}l-11-4v8zM${beside} ${y}l-4 11h8zM${beside} ${bottom}l-4-11h8z`}
      />
      <text x={x + width / 2} y={below + 5} textAnchor="middle">
        {size.width} mm
      </text>
      <text transform={`translate(${beside + 5} ${middle}) rotate(-90)`} textAnchor="middle">
        {size.height} mm
      </text>
    </svg>
  );
}
