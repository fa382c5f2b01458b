/** Renders the sheets sent by its parent, one at a time. */
import { parentPort } from "node:worker_threads";
import type { Paper, Sheet } from "../../shop/documents/sheet.ts";
import { renderSheet } from "./render-sheet.ts";

parentPort?.on("message", async ({ id, sheet, paper }: { id: number; sheet: Sheet; paper: Paper }) => {
  try {
    parentPort?.postMessage({ id, pdf: await renderSheet(sheet, paper) });
  } catch (error) {
    parentPort?.postMessage({ id, error });
  }
});
