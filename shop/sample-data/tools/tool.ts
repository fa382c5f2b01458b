/** The sample catalogue, one file per category. The products are validated like those of an admin's form. */
import type { z } from "zod";
import type { productForm } from "../../../api/product-form.ts";

/**
 * In the format of the form Add A Tool: prices in dollars, dimensions in millimetres in the proportions of the
 * drawing, including the cord; `drawnBox` is the place of the product in its 640 x 480 drawing.
 */
export type SampleTool = z.input<typeof productForm> & { itemNumber: string };

export function facts(data: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(data).map(([name, value]) => ({ name, value }));
}
