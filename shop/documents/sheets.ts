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

interface About {
  seller: Seller;
  buyer: Buyer;
  order: OrderFacts;
}

export interface InvoiceData extends About {
  number: number;
  issuedAt: Date;
  totalCents: number;
  paymentId: string;
  mode: string | null;
  lines: DocumentLine[];
}

export interface CreditNoteData extends About {
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

export interface PackingSlipData extends About {
  number: number;
  shippedAt: Date;
  carrier: string;
  trackingNumber: string;
  note: string;
  lines: (Omit<DocumentLine, "priceCents" | "totalCents"> & { pieces: number; toFollow: number })[];
}

const days = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const counts = new Intl.NumberFormat("en-US");
const NONE = "–";

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
      counts.format(line.quantity),
      formatMoney(line.priceCents),
      formatMoney(line.totalCents),
    ],
  }));
}

export function orderConfirmationSheet(
  data: About & { note: string; status: string; totalCents: number; lines: DocumentLine[] },
): Sheet {
  const { order, lines, totalCents } = data;
  return {
    ...common(data),
    title: "Order confirmation",
    note: "We accept your order at these prices.",
    number: String(order.number),
    fileName: `stator-order-confirmation-${order.number}.pdf`,
    facts: facts(
      ["Order", String(order.number)],
      ["Order date", day(order.placedAt)],
      ["Status", data.status],
      ["Currency", "US dollars"],
      ["PO number", order.poNumber],
      ["Lines", counts.format(lines.length)],
      ["Pieces", counts.format(piecesOf(lines))],
      ["Delivery", "24 to 72 h"],
    ),
    blocks: [...addresses(data), { label: "Note to the warehouse", lines: [data.note || NONE] }],
    columns: COLUMNS,
    rows: pricedRows(lines, totalCents),
    sums: [{ label: "Freight", value: "Included" }],
    total: { label: "Total", value: formatMoney(totalCents) },
    foot: [
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
    ...common(data),
    title: "Invoice",
    note: testNote(data.mode) ?? "Paid. Nothing is left to pay.",
    number,
    fileName: `stator-invoice-${number}.pdf`,
    facts: facts(
      ["Invoice number", number],
      ["Invoice date", day(data.issuedAt)],
      ["Terms", "Paid by card"],
      ["Tax number", seller.taxNumber],
      ["Order", String(order.number)],
      ["PO number", order.poNumber],
      ["Order date", day(order.placedAt)],
      ["Currency", "US dollars"],
    ),
    blocks: [
      ...addresses(data),
      { label: "Payment", lines: ["Card", data.paymentId, ...paragraphs(seller.bank)] },
    ],
    columns: COLUMNS,
    rows: pricedRows(lines, totalCents),
    sums: [
      { label: "Pieces", value: counts.format(piecesOf(lines)) },
      { label: "Freight", value: "Included" },
    ],
    total: { label: "Total paid", value: formatMoney(totalCents) },
    foot: contactFoot(seller),
  };
}

export function creditNoteSheet(data: CreditNoteData): Sheet {
  const { seller, order } = data;
  const number = creditNoteNumber(data.number);
  const invoice = invoiceNumber(data.invoiceNumber);
  return {
    ...common(data),
    title: "Credit note",
    note: testNote(data.mode) ?? `Reduces invoice ${invoice}.`,
    number,
    fileName: `stator-credit-note-${number}.pdf`,
    facts: facts(
      ["Credit note", number],
      ["Date", day(data.issuedAt)],
      ["Invoice", invoice],
      ["Order", String(order.number)],
      ["PO number", order.poNumber],
      ["Order date", day(order.placedAt)],
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
    foot: contactFoot(seller),
  };
}

export function packingSlipSheet(data: PackingSlipData): Sheet {
  const { order, lines } = data;
  const number = String(data.number);
  const pieces = lines.reduce((sum, line) => sum + line.pieces, 0);
  return {
    ...common(data),
    title: "Packing slip",
    note: "No prices on this sheet.",
    number,
    fileName: `stator-packing-slip-${number}.pdf`,
    facts: facts(
      ["Shipment", number],
      ["Shipped", day(data.shippedAt)],
      ["Carrier", data.carrier],
      ["Tracking number", data.trackingNumber],
      ["Order", String(order.number)],
      ["PO number", order.poNumber],
      ["Lines", counts.format(lines.length)],
      ["Pieces", counts.format(pieces)],
    ),
    blocks: [
      addresses(data)[1] as Sheet["blocks"][number],
      { label: "Note to the warehouse", lines: [data.note || NONE] },
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
        counts.format(line.quantity),
        counts.format(line.pieces),
        line.toFollow === 0 ? "none" : counts.format(line.toFollow),
        "",
      ],
    })),
    sums: [],
    total: {
      label: "In this shipment",
      value: `${counts.format(pieces)} ${pieces === 1 ? "piece" : "pieces"}`,
    },
    foot: [
      { label: "Packed by", text: "", rule: true },
      { label: "Received by, date", text: "", rule: true },
      { label: "Short or damaged?", text: `Write it here before signing, and mail ${data.seller.email}` },
    ],
  };
}

function common({ seller }: About): Pick<Sheet, "sender"> {
  return {
    sender: [
      seller.name,
      ...paragraphs(seller.address),
      [seller.email, seller.phone].filter(Boolean).join("  "),
    ],
  };
}

function addresses({ buyer, order }: About): Sheet["blocks"] {
  const address = paragraphs(buyer.address);
  return [
    { label: "Bill to", lines: [buyer.name, ...address, buyer.email] },
    {
      label: "Ship to",
      lines: [order.contact || buyer.name, ...address, ...(buyer.phone ? [buyer.phone] : [])],
    },
  ];
}

function contactFoot(seller: Seller): Sheet["foot"] {
  return [
    {
      label: "Seller",
      text: [seller.name, seller.taxNumber && `Tax number ${seller.taxNumber}`].filter(Boolean).join("\n"),
    },
    { label: "Questions", text: [seller.email, seller.phone].filter(Boolean).join("\n") },
    { label: "Returns", text: "Tell us within 10 working days of delivery, with the order number." },
  ];
}

function testNote(mode: string | null): string | undefined {
  return mode && mode !== "live" ? "Test payment: no money moved." : undefined;
}

function facts(...pairs: [string, string][]): Sheet["facts"] {
  return pairs.map(([label, value]) => ({ label, value: value || NONE }));
}

function paragraphs(text: string): string[] {
  return text.split(/\s*\n\s*/).filter(Boolean);
}

function piecesOf(lines: { quantity: number }[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

function day(at: Date | string): string {
  return days.format(new Date(at));
}
