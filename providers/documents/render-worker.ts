import { parentPort } from "node:worker_threads";
import type { Paper, Sheet } from "../../shop/documents/sheet.ts";
import { renderSheet } from "./render-sheet.ts";

parentPort?.on("message", async ({ sheet, paper }: { sheet: Sheet; paper: Paper }) => {
  try {
    parentPort?.postMessage({ pdf: await renderSheet(sheet, paper) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
