/**
 * The sample catalogue: the 30 tools that an empty store is filled with, one file per category. They go
 * through the same form as an admin's, so their fields are the form's own.
 */
import type { z } from "zod";
import type { productForm } from "../../../api/product-form.ts";

/**
 * A sample tool as the Add A Tool form takes it. Prices in dollars, dimensions in millimetres in the
 * proportions of the drawing, cord included; `drawnBox` is the place of the tool in its 640 x 480 drawing.
 */
export type SampleTool = z.input<typeof productForm> & { itemNumber: string };

/** Technical data in the order written. */
export function facts(data: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(data).map(([name, value]) => ({ name, value }));
}
