import { useState } from "react";
import type { Product } from "../../../../api/entities.ts";
import { Picture } from "../../../components/picture.tsx";
import { useTouchPoints } from "./use-touch-points.ts";

/** The product on its plate with corner ticks and, if its dimensions are known, dimension lines in millimetres. */
export function ToolDrawing({ product }: { product: Product }) {
  const { name, picture, pictures = [], itemNumber, drawnBox, dimensions } = product;
  const [chosenUrl, setChosenUrl] = useState(picture);
  const shownPicture = pictures.find(({ url }) => url === chosenUrl) ?? pictures[0];
  const src = shownPicture?.url ?? picture;
  return (
    <div className="pdp__pics">
      <div className="plate plate--ticks pdp__plate">
        <div className="draw">
          <Picture
            src={src}
            alt={shownPicture?.alt ?? `${[name, itemNumber].filter(Boolean).join(" ")}, side view`}
            eager
          />
          {src === picture && drawnBox && dimensions && (
            <DimensionLines picture={picture} box={drawnBox} size={dimensions} />
          )}
        </div>
        {itemNumber && <span className="plate__no">{itemNumber}</span>}
      </div>
      {pictures.length > 1 && <Gallery pictures={pictures} shown={src} onChoose={setChosenUrl} />}
    </div>
  );
}

interface GalleryProps {
  pictures: NonNullable<Product["pictures"]>;
  shown: string;
  onChoose: (url: string) => void;
}

/** Thumbnails: links to the pictures, which are shown on the plate if scripts run. */
function Gallery({ pictures, shown, onChoose }: GalleryProps) {
  return (
    <ul className="gallery" aria-label="Pictures">
      {pictures.map(({ url, alt }) => (
        <li key={url}>
          <a
            href={url}
            aria-label={alt}
            aria-current={url === shown || undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              onChoose(url);
            }}
          >
            <Picture src={url} alt="" />
          </a>
        </li>
      ))}
    </ul>
  );
}

interface DimensionLinesProps {
  picture: string;
  /** x, y, width and height within the 640 × 480 drawing */
  box: NonNullable<Product["drawnBox"]>;
  size: NonNullable<Product["dimensions"]>;
}

const OFFSET = 22;
const GAP = 6;

/** The width below and the height to the right, between end stops with arrowheads. */
function DimensionLines({ picture, box, size }: DimensionLinesProps) {
  const [x, y, width, height] = box;
  const touch = useTouchPoints(picture, box);
  const [right, bottom] = [x + width, y + height];
  const [widthLineY, widthLineX] = [bottom + OFFSET, right + OFFSET + 4];
  const down = widthLineY + GAP;
  const out = widthLineX + GAP;
  const lines = [
    `M${x} ${touch.left + GAP}V${down}M${right} ${touch.right + GAP}V${down}M${x} ${widthLineY}H${right}`,
    `M${touch.top + GAP} ${y}H${out}M${touch.bottom + GAP} ${bottom}H${out}M${widthLineX} ${y}V${bottom}`,
  ];
  const arrowheads = [
    `M${x} ${widthLineY}l11-4v8zM${right} ${widthLineY}l-11-4v8z`,
    `M${widthLineX} ${y}l-4 11h8zM${widthLineX} ${bottom}l-4-11h8z`,
  ];
  return (
    <svg
      className="dims"
      viewBox="0 0 640 480"
      role="img"
      aria-label={`${size.width} by ${size.height} millimetres`}
    >
      <path d={lines.join("")} />
      <path className="ah" d={arrowheads.join("")} />
      <text x={x + width / 2} y={widthLineY} textAnchor="middle" dominantBaseline="central">
        {size.width} mm
      </text>
      <text
        transform={`translate(${widthLineX} ${y + height / 2}) rotate(-90)`}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {size.height} mm
      </text>
    </svg>
  );
}
