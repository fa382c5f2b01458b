import type { Request } from "../../api/contract.ts";
import { ROWS_PER_READ } from "../../database/pagination.ts";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { fromCents } from "../money.ts";
import type { Store } from "../store.ts";
import { creditNoteNumber, invoiceNumber } from "./sheets.ts";

interface IssuedDocument {
  number: number;
  issued_at: Date;
  /** of a credit note: the invoice that it is for */
  invoice_number: number | null;
  amount_cents: number;
  payment_id: string;
  order_number: string;
  po_number: string;
  buyer: string;
  email: string;
  mode: string;
}

// an amount with a minus sign would get the apostrophe of a formula, so credits have a column of their own
const columns: CsvColumns<IssuedDocument> = {
  issued_at: ({ issued_at }) => issued_at,
  document: (row) => (row.invoice_number ? creditNoteNumber(row.number) : invoiceNumber(row.number)),
  for_invoice: ({ invoice_number }) => invoice_number && invoiceNumber(invoice_number),
  order_number: ({ order_number }) => order_number,
  po_number: ({ po_number }) => po_number,
  buyer: ({ buyer }) => buyer,
  email: ({ email }) => email,
  invoiced: (row) => (row.invoice_number ? null : fromCents(row.amount_cents).toFixed(2)),
  credited: (row) => (row.invoice_number ? fromCents(row.amount_cents).toFixed(2) : null),
  payment_id: ({ payment_id }) => payment_id,
  mode: ({ mode }) => mode,
};

const DETAILS = `content->'order'->>'number' AS order_number, content->'order'->>'poNumber' AS po_number,
  content->'buyer'->>'name' AS buyer, content->'buyer'->>'email' AS email, content->>'mode' AS mode`;

// a part at a time, in the order of the numbers: a slow download holds neither a connection nor a snapshot
const PART = `AND ($1::text IS NULL OR issued_at >= $1::text::date AT TIME ZONE 'UTC')
  AND ($2::text IS NULL OR issued_at < ($2::text::date + 1) AT TIME ZONE 'UTC')
ORDER BY number LIMIT ${ROWS_PER_READ}`;

const INVOICES = `
SELECT number, issued_at, NULL::bigint AS invoice_number, total_cents AS amount_cents, payment_id, ${DETAILS}
FROM shop.invoice WHERE number > $3 ${PART}`;

const CREDIT_NOTES = `
SELECT number, issued_at, invoice_number, amount_cents,
  (SELECT payment_id FROM shop.invoice WHERE invoice.number = invoice_number) AS payment_id, ${DETAILS}
FROM shop.credit_note WHERE number > $3 ${PART}`;

/** All invoices and then all credit notes that were issued on these days. */
export async function exportDocuments(store: Store, { bom, from, to }: Request<"exportDocuments">["query"]) {
  return streamCsv(columns, readDocuments(store, from, to), { bom });
}

async function* readDocuments(
  { pool }: Store,
  from: string | null = null,
  to: string | null = null,
): AsyncGenerator<IssuedDocument[]> {
  yield* readParts((after) => pool.query<IssuedDocument>(INVOICES, [from, to, after]));
  yield* readParts((after) => pool.query<IssuedDocument>(CREDIT_NOTES, [from, to, after]));
}

async function* readParts(read: (after: number) => Promise<{ rows: IssuedDocument[] }>) {
  let after = 0;
  let rows: IssuedDocument[];
  do {
    ({ rows } = await read(after));
    yield rows;
    after = rows.at(-1)?.number ?? after;
  } while (rows.length === ROWS_PER_READ);
}
