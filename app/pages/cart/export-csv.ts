/** A cart or a list as a CSV file, which can be pasted or dropped again. */
import type { CheckedLine } from "../../../api/cart-calls.ts";
import { downloadFile } from "../../components/download-file.ts";
import { type CartRow, isOrderable } from "./cart-rows.ts";

interface ExportedRow {
  row: Pick<CartRow, "text" | "quantity">;
  line: CheckedLine | undefined;
}

export function writeCsv(rows: readonly ExportedRow[]): string {
  const lines = rows.map(({ row, line }) => [
    line?.itemNumber ?? line?.name ?? row.text ?? "",
    String(row.quantity),
    line?.name ?? "",
    line?.price?.toFixed(2) ?? "",
    isOrderable(line) ? (line.total?.toFixed(2) ?? "") : "",
  ]);
  return [["Item number", "Quantity", "Tool", "Price", "Total"], ...lines]
    .map((cells) => `${cells.map(quote).join(",")}\r\n`)
    .join("");
}

/** A spreadsheet would run a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function quote(cell: string): string {
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function downloadCsv(name: string, text: string): void {
  downloadFile(name, new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
}
