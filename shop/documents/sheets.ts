import { formatMoney } from "../money.ts";
import type { Seller } from "./seller.ts";
import type { Sheet, SheetColumn } from "./sheet.ts";

export interface Buyer {
  name: string;
  email: string;
  address: string;
  phone: string;
}

interface OrderFacts {
  number: number;
  poNumber: string;
  contact: string;
  placedAt: string;
}

export interface DocumentLine {
  lineNumber: number;
  productName: string;
  itemNumber: string | null;
  quantity: number;
  priceCents: number;
  totalCents: number;
}

interface DocumentData {
  seller: Seller;
  buyer: Buyer;
  order: OrderFacts;
}

export interface InvoiceData extends DocumentData {
  number: number;
  issuedAt: Date;
  totalCents: number;
  paymentId: string;
  mode: string | null;
  lines: DocumentLine[];
}

export interface CreditNoteData extends DocumentData {
  number: number;
  issuedAt: Date;
  invoiceNumber: number;
  amountCents: number;
  reason: string;
  lineNumber: number;
  productName: string;
  itemNumber: string | null;
  invoiceCents: number;
  creditedCents: number;
  mode: string | null;
}

export interface PackingSlipData extends DocumentData {
  number: number;
  shippedAt: Date;
  carrier: string;
  trackingNumber: string;
  note: string;
  lines: (Omit<DocumentLine, "priceCents" | "totalCents"> & { pieces: number; toFollow: number })[];
}

const dateFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const numberFormat = new Intl.NumberFormat("en-US");
const EMPTY_VALUE = "–";

export const invoiceNumber = (number: number) => `INV-${number}`;
export const creditNoteNumber = (number: number) => `CN-${number}`;

const COLUMNS: SheetColumn[] = [
  { label: "Line", width: 11, align: "left" },
  { label: "Item number", width: 27, align: "left" },
  { label: "Tool", align: "left" },
  { label: "Quantity", width: 18, align: "right" },
  { label: "Price", width: 24, align: "right" },
  { label: "Total", width: 30, align: "right" },
];

/** Throws if the lines do not add up to `totalCents`: no document may show another total. */
function pricedRows(lines: DocumentLine[], totalCents: number): Sheet["rows"] {
  const sum = lines.reduce((cents, line) => cents + line.priceCents * line.quantity, 0);
  if (sum !== totalCents)
    throw new Error(`The lines add up to ${sum} cents, the document is of ${totalCents}.`);
  return lines.map((line) => ({
    cells: [
      String(line.lineNumber),
      line.itemNumber ?? "",
      line.productName,
      numberFormat.format(line.quantity),
      formatMoney(line.priceCents),
      formatMoney(line.totalCents),
    ],
  }));
}

export function orderConfirmationSheet(
  data: DocumentData & { note: string; status: string; totalCents: number; lines: DocumentLine[] },
): Sheet {
  const { order, lines, totalCents } = data;
  return {
    sender: senderLines(data.seller),
    title: "Order confirmation",
    note: "We accept your order at these prices.",
    number: String(order.number),
    fileName: `stator-order-confirmation-${order.number}.pdf`,
    facts: facts(
      ["Order", String(order.number)],
      ["Order date", formatDay(order.placedAt)],
      ["Status", data.status],
      ["Currency", "US dollars"],
      ["PO number", order.poNumber],
      ["Lines", numberFormat.format(lines.length)],
      ["Pieces", numberFormat.format(piecesOf(lines))],
      ["Delivery", "24 to 72 h"],
    ),
    blocks: [...addresses(data), { label: "Note to the warehouse", lines: [data.note || EMPTY_VALUE] }],
    columns: COLUMNS,
    rows: pricedRows(lines, totalCents),
    sums: [{ label: "Freight", value: "Included" }],
    total: { label: "Total", value: formatMoney(totalCents) },
    footer: [
      { label: "Shipment", text: "May come in parts. Each part has its own packing slip." },
      { label: "Changes", text: `Until the order ships: ${data.seller.email}` },
      { label: "Payment", text: "By card. The invoice is issued when the payment arrives." },
    ],
  };
}

export function invoiceSheet(data: InvoiceData): Sheet {
  const { seller, order, lines, totalCents } = data;
  const number = invoiceNumber(data.number);
  return {
    sender: senderLines(data.seller),
    title: "Invoice",
    note: testPaymentNote(data.mode) ?? "Paid. Nothing is left to pay.",
    number,
    fileName: `stator-invoice-${number}.pdf`,
    facts: facts(
      ["Invoice number", number],
      ["Invoice date", formatDay(data.issuedAt)],
      ["Terms", "Paid by card"],
      ["Tax number", seller.taxNumber],
      ["Order", String(order.number)],
      ["PO number", order.poNumber],
      ["Order date", formatDay(order.placedAt)],
      ["Currency", "US dollars"],
    ),
    blocks: [
      ...addresses(data),
      { label: "Payment", lines: ["Card", data.paymentId, ...splitLines(seller.bank)] },
    ],
    columns: COLUMNS,
    rows: pricedRows(lines, totalCents),
    sums: [
      { label: "Pieces", value: numberFormat.format(piecesOf(lines)) },
      { label: "Freight", value: "Included" },
    ],
    total: { label: "Total paid", value: formatMoney(totalCents) },
    footer: contactFooter(seller),
  };
}

export function creditNoteSheet(data: CreditNoteData): Sheet {
  const { seller, order } = data;
  const number = creditNoteNumber(data.number);
  const invoice = invoiceNumber(data.invoiceNumber);
  return {
    sender: senderLines(data.seller),
    title: "Credit note",
    note: testPaymentNote(data.mode) ?? `Reduces invoice ${invoice}.`,
    number,
    fileName: `stator-credit-note-${number}.pdf`,
    facts: facts(
      ["Credit note", number],
      ["Date", formatDay(data.issuedAt)],
      ["Invoice", invoice],
      ["Order", String(order.number)],
      ["PO number", order.poNumber],
      ["Order date", formatDay(order.placedAt)],
      ["Tax number", seller.taxNumber],
      ["Currency", "US dollars"],
    ),
    blocks: addresses(data),
    columns: COLUMNS.filter(({ label }) => label !== "Quantity" && label !== "Price"),
    rows: [
      {
        cells: [
          String(data.lineNumber),
          data.itemNumber ?? "",
          data.productName,
          formatMoney(data.amountCents),
        ],
        detail: data.reason,
      },
    ],
    sums: [
      { label: `Invoice ${invoice}, paid`, value: formatMoney(data.invoiceCents) },
      ...(data.creditedCents > 0
        ? [{ label: "Credited before", value: formatMoney(-data.creditedCents) }]
        : []),
      { label: "This credit", value: formatMoney(-data.amountCents) },
      { label: "Left to pay", value: formatMoney(0) },
    ],
    total: { label: "Given back", value: formatMoney(data.amountCents) },
    footer: contactFooter(seller),
  };
}

export function packingSlipSheet(data: PackingSlipData): Sheet {
  const { order, lines } = data;
  const number = String(data.number);
  const pieces = lines.reduce((sum, line) => sum + line.pieces, 0);
  return {
    sender: senderLines(data.seller),
    title: "Packing slip",
    note: "No prices on this sheet.",
    number,
    fileName: `stator-packing-slip-${number}.pdf`,
    facts: facts(
      ["Shipment", number],
      ["Shipped", formatDay(data.shippedAt)],
      ["Carrier", data.carrier],
      ["Tracking number", data.trackingNumber],
      ["Order", String(order.number)],
      ["PO number", order.poNumber],
      ["Lines", numberFormat.format(lines.length)],
      ["Pieces", numberFormat.format(pieces)],
    ),
    blocks: [
      addresses(data)[1] as Sheet["blocks"][number],
      { label: "Note to the warehouse", lines: [data.note || EMPTY_VALUE] },
      { label: "Shipment", lines: [number], barCode: number },
    ],
    columns: [
      { label: "Line", width: 11, align: "left" },
      { label: "Item number", width: 27, align: "left" },
      { label: "Tool", align: "left" },
      { label: "Ordered", width: 18, align: "right" },
      { label: "This shipment", width: 24, align: "right", style: "strong" },
      { label: "To follow", width: 20, align: "right" },
      { label: "Counted", width: 24, align: "right", style: "rule" },
    ],
    rows: lines.map((line) => ({
      cells: [
        String(line.lineNumber),
        line.itemNumber ?? "",
        line.productName,
        numberFormat.format(line.quantity),
        numberFormat.format(line.pieces),
        line.toFollow === 0 ? "none" : numberFormat.format(line.toFollow),
        "",
      ],
    })),
    sums: [],
    total: {
      label: "In this shipment",
      value: `${numberFormat.format(pieces)} ${pieces === 1 ? "piece" : "pieces"}`,
    },
    footer: [
      { label: "Packed by", text: "", rule: true },
      { label: "Received by, date", text: "", rule: true },
      { label: "Short or damaged?", text: `Write it here before signing, and mail ${data.seller.email}` },
    ],
  };
}

function senderLines({ name, address, email, phone }: Seller): Sheet["sender"] {
  return [name, ...splitLines(address), [email, phone].filter(Boolean).join("  ")];
}

function addresses({ buyer, order }: DocumentData): Sheet["blocks"] {
  const address = splitLines(buyer.address);
  return [
    { label: "Bill to", lines: [buyer.name, ...address, buyer.email] },
    {
      label: "Ship to",
      lines: [order.contact || buyer.name, ...address, ...(buyer.phone ? [buyer.phone] : [])],
    },
  ];
}

function contactFooter(seller: Seller): Sheet["footer"] {
  return [
    {
      label: "Seller",
      text: [seller.name, seller.taxNumber && `Tax number ${seller.taxNumber}`].filter(Boolean).join("\n"),
    },
    { label: "Questions", text: [seller.email, seller.phone].filter(Boolean).join("\n") },
    { label: "Returns", text: "Tell us within 10 working days of delivery, with the order number." },
  ];
}

function testPaymentNote(mode: string | null): string | undefined {
  return mode && mode !== "live" ? "Test payment: no money moved." : undefined;
}

function facts(...pairs: [string, string][]): Sheet["facts"] {
  return pairs.map(([label, value]) => ({ label, value: value || EMPTY_VALUE }));
}

function splitLines(text: string): string[] {
  return text.split(/\s*\n\s*/).filter(Boolean);
}

function piecesOf(lines: { quantity: number }[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

function formatDay(at: Date | string): string {
  return dateFormat.format(new Date(at));
}
