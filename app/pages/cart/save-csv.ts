import { toast } from "../../components/toast.ts";
import type { CheckedRow } from "./use-checked-rows.ts";

/** The rows as a file, or without any an empty one to fill in. Its code is loaded on demand: the page has a script budget. */
export async function saveCsv(name: string, rows?: readonly CheckedRow[]) {
  const loaded = await import("./export-csv.ts").catch(() => null);
  if (!loaded) return toast.error("The file could not be made. Check the connection and try again.");
  loaded.downloadCsv(name, rows ? loaded.writeCsv(rows) : "Item number,Quantity\r\n");
}
