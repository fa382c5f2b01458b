import type { OrderDetails } from "../../api/order-calls.ts";
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import { orderFulfillment, orderStatus, totalsOf } from "../orders/entity.ts";
import { findLines, findOrderFor } from "../orders/queries.ts";
import { shipProblem } from "../orders/rules.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { findSeller, type Seller } from "./seller.ts";
import type { Sheet } from "./sheet.ts";
import {
  type Buyer,
  type CreditNoteData,
  creditNoteNumber,
  creditNoteSheet,
  type DocumentLine,
  type InvoiceData,
  invoiceNumber,
  invoiceSheet,
  orderConfirmationSheet,
  packingSlipSheet,
} from "./sheets.ts";

const statusLabels = {
  unpaid: "Awaits payment",
  paid: "Paid",
  partly_shipped: "Partly shipped",
  shipped: "Shipped",
  refunded: "Refunded",
  cancelled: "Cancelled",
};

/** The current order without cancelled lines. Refuses other users, and orders without any line left. */
export async function findOrderConfirmation(
  store: Store,
  id: string,
  viewer: User,
): Promise<Sheet | Refusal> {
  const order = await findOrderFor(store, id, viewer);
  if (isRefusal(order)) return order;
  const lines = (await findLines(store, order.id)).filter((line) => !line.cancelled_at);
  if (!lines[0]) return refuse("missing", orderRefusals.noDocument);
  const totals = totalsOf(lines);
  return orderConfirmationSheet({
    seller: await findSeller(store),
    buyer: buyerOf(lines),
    order: toOrderFacts(order),
    note: order.note,
    status: statusLabels[orderFulfillment(totals) ?? orderStatus(totals)],
    totalCents: totals.total_cents,
    lines: lines.map(toLine),
  });
}

interface DocumentRow<Content> {
  number: number;
  issued_at: Date;
  content: Content;
  seller: Seller;
}

// an invoice issued before a seller was recorded shows the first one
const SELLER = `coalesce(nullif(content->'seller', 'null'),
  (SELECT details FROM shop.seller ORDER BY id LIMIT 1)) AS seller`;

export async function findInvoice(
  store: Store,
  id: string,
  viewer: User,
  number: number | undefined,
): Promise<Sheet | Refusal> {
  const order = await findOrderFor(store, id, viewer);
  if (isRefusal(order)) return order;
  type Content = Pick<InvoiceData, "buyer" | "order" | "mode" | "lines">;
  const { rows } = await store.pool.query<DocumentRow<Content> & { payment_id: string; total_cents: number }>(
    `SELECT number, issued_at, content, payment_id, total_cents, ${SELLER} FROM shop.invoice
     WHERE order_id = $1 AND ($2::bigint IS NULL OR number = $2) ORDER BY number DESC LIMIT 1`,
    [order.id, number ?? null],
  );
  const [row] = rows;
  if (!row) return refuse("missing", orderRefusals.noDocument);
  return invoiceSheet({
    ...row.content,
    seller: row.seller,
    number: row.number,
    issuedAt: row.issued_at,
    totalCents: row.total_cents,
    paymentId: row.payment_id,
  });
}

export async function findCreditNote(store: Store, refundId: string, viewer: User): Promise<Sheet | Refusal> {
  type Content = Omit<CreditNoteData, "number" | "issuedAt" | "invoiceNumber" | "amountCents" | "seller">;
  const { rows } = await store.pool.query<
    DocumentRow<Content> & { order_id: string; invoice_number: number; amount_cents: number }
  >(
    `SELECT note.number, note.issued_at, note.content, invoice_number, amount_cents, order_id,
       coalesce(nullif(note.content->'seller', 'null'), (SELECT details FROM shop.seller ORDER BY id LIMIT 1)) AS seller
     FROM shop.credit_note note JOIN shop.invoice ON invoice.number = invoice_number WHERE refund_id = $1`,
    [refundId],
  );
  const [row] = rows;
  if (!row) return refuse("missing", orderRefusals.noDocument);
  const order = await findOrderFor(store, row.order_id, viewer);
  if (isRefusal(order)) return order;
  return creditNoteSheet({
    ...row.content,
    seller: row.seller,
    number: row.number,
    issuedAt: row.issued_at,
    invoiceNumber: row.invoice_number,
    amountCents: row.amount_cents,
  });
}

/** With the pieces that follow: none of a line that was refunded instead. */
export async function findPackingSlip(store: Store, id: string, viewer: User): Promise<Sheet | Refusal> {
  const { rows: shipments } = await store.pool.query<{
    order_id: string;
    number: number;
    shipped_at: Date;
    carrier: string;
    tracking_number: string;
  }>("SELECT order_id, number, shipped_at, carrier, tracking_number FROM shop.shipment WHERE id = $1", [id]);
  const [shipment] = shipments;
  if (!shipment) return refuse("missing", orderRefusals.noDocument);
  const order = await findOrderFor(store, shipment.order_id, viewer);
  if (isRefusal(order)) return order;
  const lines = (await findLines(store, order.id)).filter((line) => !line.cancelled_at);
  const { rows: shipped } = await store.pool.query<{
    purchase_id: string;
    pieces: number;
    pieces_so_far: number;
  }>(
    `SELECT purchase_id, (sum(pieces) FILTER (WHERE shipment_id = $2))::integer AS pieces, sum(pieces)::integer AS pieces_so_far
     FROM shop.shipment_line JOIN shop.shipment ON shipment.id = shipment_id
     WHERE order_id = $1 AND number <= $3 GROUP BY purchase_id`,
    [order.id, id, shipment.number],
  );
  const shippedPieces = new Map(shipped.map((line) => [line.purchase_id, line]));
  return packingSlipSheet({
    seller: await findSeller(store),
    buyer: buyerOf(lines),
    order: toOrderFacts(order),
    note: order.note,
    number: shipment.number,
    shippedAt: shipment.shipped_at,
    carrier: shipment.carrier,
    trackingNumber: shipment.tracking_number,
    lines: lines.map((line) => ({
      ...toLine(line),
      pieces: shippedPieces.get(line.id)?.pieces ?? 0,
      toFollow: piecesToShip(line) - (shippedPieces.get(line.id)?.pieces_so_far ?? 0),
    })),
  });
}

function piecesToShip(line: PurchaseRow): number {
  return line.status === "paid" && shipProblem(line) ? line.shipped_pieces : line.quantity;
}

/** A confirmation lists the lines that are left: without any there is none. */
export async function listDocuments(
  { pool }: Store,
  { id }: Pick<OrderRow, "id">,
): Promise<OrderDetails["documents"]> {
  const { rows } = await pool.query<{ kind: string; number: number; id: string; issued_at: Date }>(
    `SELECT 'orderConfirmation' AS kind, number, id::text, placed_at AS issued_at FROM shop.order
     WHERE id = $1 AND EXISTS (SELECT FROM shop.purchase WHERE order_id = $1 AND cancelled_at IS NULL)
     UNION ALL
     SELECT 'invoice', number, order_id::text, issued_at FROM shop.invoice WHERE order_id = $1
     UNION ALL
     SELECT 'packingSlip', number, id::text, shipped_at FROM shop.shipment WHERE order_id = $1
     UNION ALL
     SELECT 'creditNote', note.number, refund_id::text, note.issued_at
     FROM shop.credit_note note JOIN shop.invoice ON invoice.number = invoice_number WHERE order_id = $1
     ORDER BY issued_at, number`,
    [id],
  );
  return rows.map(({ kind, number, id, issued_at }) => ({
    kind,
    ...numberAndHref(kind, number, id),
    issuedAt: issued_at.toISOString(),
  }));
}

function numberAndHref(kind: string, number: number, id: string): { number: string; href: string } {
  if (kind === "invoice")
    return { number: invoiceNumber(number), href: `/orders/${id}/invoice.pdf?number=${number}` };
  if (kind === "creditNote") return { number: creditNoteNumber(number), href: `/credit-notes/${id}.pdf` };
  if (kind === "packingSlip") return { number: String(number), href: `/shipments/${id}/packing-slip.pdf` };
  return { number: String(number), href: `/orders/${id}/confirmation.pdf` };
}

function buyerOf(lines: PurchaseRow[]): Buyer {
  const { name, email, address, phone } = (lines.find((line) => line.address !== "Deleted") ??
    lines[0]) as PurchaseRow;
  return { name, email, address, phone };
}

function toOrderFacts({ number, po_number, contact, placed_at }: OrderRow) {
  return { number, poNumber: po_number, contact, placedAt: placed_at.toISOString() };
}

function toLine(line: PurchaseRow): DocumentLine {
  return {
    lineNumber: line.line_number,
    productName: line.product_name,
    itemNumber: line.item_number,
    quantity: line.quantity,
    priceCents: line.price_cents,
    totalCents: line.total_cents,
  };
}
