/** Where a drawn product touches its bounding box, so that dimension lines start at the measured part. */
import { useEffect, useState } from "react";
import type { Product } from "../../../../api/entities.ts";

type Box = NonNullable<Product["drawnBox"]>;

/** In the drawing's units: the lowest point on the left and right edge, the rightmost on top and bottom. */
export interface TouchPoints {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const WIDTH = 640;
const HEIGHT = 480;
const OPAQUE = 200;
const NEAR = 4;

/** Reading a picture blocks the page for 8 ms: not before its first frame, nor before the first interaction. */
const READ_DELAY_MS = 100;

/** The corners of the box, until the picture is loaded and readable. */
export function useTouchPoints(picture: string, box: Box): TouchPoints {
  const [x, y, width, height] = box;
  const corners = { left: y + height, right: y + height, top: x + width, bottom: x + width };
  const [found, setFound] = useState<TouchPoints | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const image = new Image();
    image.onload = () => {
      timer = setTimeout(() => setFound(readTouchPoints(image, [x, y, width, height])), READ_DELAY_MS);
    };
    image.src = picture;
    return () => {
      image.onload = null;
      clearTimeout(timer);
    };
  }, [picture, x, y, width, height]);

  return found ?? corners;
}

/** Null for a cross-origin picture, which can be shown but not read. */
function readTouchPoints(image: HTMLImageElement, [x, y, width, height]: Box): TouchPoints | null {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) return null;
  pen.drawImage(image, 0, 0, WIDTH, HEIGHT);
  const last = (left: number, top: number, wide: number, high: number, axis: "x" | "y") => {
    const { data } = pen.getImageData(left, top, wide, high);
    let furthest = 0;
    for (let place = 0; place < wide * high; place += 1) {
      if ((data[place * 4 + 3] ?? 0) < OPAQUE) continue;
      furthest = Math.max(furthest, axis === "x" ? place % wide : Math.floor(place / wide));
    }
    return furthest;
  };
  try {
    return {
      left: y + last(x, y, NEAR, height, "y"),
      right: y + last(x + width - NEAR, y, NEAR, height, "y"),
      top: x + last(x, y, width, NEAR, "x"),
      bottom: x + last(x, y + height - NEAR, width, NEAR, "x"),
    };
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
