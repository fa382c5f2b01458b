import type { PurchaseExportColumn } from "./export-columns.ts";

interface ChosenColumn {
  label: string;
  /** what it adds to the CSV file */
  exported: readonly PurchaseExportColumn[];
}

/** The columns of Manage All Orders that an admin chooses. */
export const CHOOSABLE_COLUMNS = {
  buyer: { label: "Buyer", exported: ["buyer", "email"] },
  po: { label: "PO number", exported: ["po_number"] },
  placed: { label: "Placed", exported: ["placed_at"] },
  quantity: { label: "Quantity", exported: ["quantity", "shipped"] },
  total: { label: "Total", exported: ["price", "total", "refunded"] },
} satisfies Record<string, ChosenColumn>;

export type ChoosableColumn = keyof typeof CHOOSABLE_COLUMNS;

export const choosableColumnNames = Object.keys(CHOOSABLE_COLUMNS) as ChoosableColumn[];
