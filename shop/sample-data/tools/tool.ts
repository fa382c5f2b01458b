import type { z } from "zod";
import type { productForm } from "../../../api/product-form.ts";

/** Dimensions in the proportions of the drawing, with the cord; `drawnBox` is its place in the 640 x 480 drawing. */
export type SampleTool = z.input<typeof productForm> & { itemNumber: string };

export function facts(data: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(data).map(([name, value]) => ({ name, value }));
}
