import type { PurchaseRow } from "../../database/schema.ts";
import type { CsvColumns } from "../csv.ts";
import { fromCents } from "../money.ts";

export interface OrderOfLine {
  id: string;
  fulfillment: string;
  number: number;
  po_number: string;
  carriers: string | null;
  tracking_numbers: string | null;
}

export type ExportedLine = PurchaseRow & OrderOfLine;

export interface WithInvoice {
  /** as on the document */
  invoice: string | null;
}

/** Of the CSV file of order lines. */
export const PURCHASE_EXPORT_COLUMNS = {
  order_number: (line) => line.number,
  po_number: (line) => line.po_number,
  placed_at: (line) => line.placed_at,
  buyer: (line) => line.name,
  email: (line) => line.email,
  line: (line) => line.line_number,
  item_number: (line) => line.item_number,
  product: (line) => line.product_name,
  quantity: (line) => line.quantity,
  shipped: (line) => line.shipped_pieces,
  price: (line) => fromCents(line.price_cents).toFixed(2),
  total: (line) => fromCents(line.total_cents).toFixed(2),
  refunded: (line) => fromCents(line.refunded_cents).toFixed(2),
  status: (line) => line.fulfillment,
  paid_at: (line) => line.paid_at,
  shipped_at: (line) => line.shipped_at,
  carriers: (line) => line.carriers,
  tracking_numbers: (line) => line.tracking_numbers,
} satisfies CsvColumns<ExportedLine>;

const { buyer: _, email: __, ...ofBuyer } = PURCHASE_EXPORT_COLUMNS;

/** Of the CSV file that buyers get of their own orders. */
export const ORDER_EXPORT_COLUMNS = {
  ...ofBuyer,
  invoice: (line) => line.invoice,
} satisfies CsvColumns<ExportedLine & WithInvoice>;

export type PurchaseExportColumn = keyof typeof PURCHASE_EXPORT_COLUMNS;
