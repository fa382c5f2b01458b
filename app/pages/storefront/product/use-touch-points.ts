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
const MIN_ALPHA = 200;
const EDGE_PX = 4;

/** Reading a picture blocks the page for 8 ms: this leaves time for its first frame and the first interaction. */
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
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(image, 0, 0, WIDTH, HEIGHT);
  const lastOpaque = (left: number, top: number, areaWidth: number, areaHeight: number, axis: "x" | "y") => {
    const { data } = context.getImageData(left, top, areaWidth, areaHeight);
    let furthest = 0;
    for (let pixel = 0; pixel < areaWidth * areaHeight; pixel += 1) {
      if ((data[pixel * 4 + 3] ?? 0) < MIN_ALPHA) continue;
      furthest = Math.max(furthest, axis === "x" ? pixel % areaWidth : Math.floor(pixel / areaWidth));
    }
    return furthest;
  };
  try {
    return {
      left: y + lastOpaque(x, y, EDGE_PX, height, "y"),
      right: y + lastOpaque(x + width - EDGE_PX, y, EDGE_PX, height, "y"),
      top: x + lastOpaque(x, y, width, EDGE_PX, "x"),
      bottom: x + lastOpaque(x, y + height - EDGE_PX, width, EDGE_PX, "x"),
    };
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
