import type { Readable } from "node:stream";
import { readPages } from "../../database/pagination.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { type Refusal, refuseField } from "../refusal.ts";
import type { Store } from "../store.ts";
import { refusals } from "../texts/refusals.ts";
import { CHOOSABLE_COLUMNS, type ChoosableColumn, choosableColumnNames } from "./choosable-columns.ts";
import { type ExportedLine, type OrderOfLine, PURCHASE_EXPORT_COLUMNS } from "./export-columns.ts";
import { findMatchingIds, matchPurchases } from "./filter.ts";
import { andStatus, fulfillmentStatusSql } from "./fulfillment-status.ts";
import { PURCHASE_COLUMNS, type PurchaseSearch, sortingOf } from "./search.ts";

type Search = Omit<PurchaseSearch, "limit" | "cursor"> & {
  columns?: ChoosableColumn[] | undefined;
  bom: boolean;
};

export async function exportPurchases(store: Store, search: Search): Promise<Readable | Refusal> {
  if (search.sort === "waiting" && search.status !== "paid")
    return refuseField("sort", refusals.onlyPaidWait);
  return streamCsv(columnsOf(search), readLines(store, search), { bom: search.bom });
}

function columnsOf({ columns = choosableColumnNames }: Search): CsvColumns<ExportedLine> {
  const notChosen = choosableColumnNames.filter((name) => !columns.includes(name));
  const leftOut = new Set<string>(notChosen.flatMap((name) => CHOOSABLE_COLUMNS[name].exported));
  return Object.fromEntries(Object.entries(PURCHASE_EXPORT_COLUMNS).filter(([name]) => !leftOut.has(name)));
}

async function* readLines(store: Store, search: Search): AsyncGenerator<ExportedLine[]> {
  const matching = matchPurchases(search, await findMatchingIds(store, search));
  const ofStatus = andStatus(search.status);
  const pages = readPages<PurchaseRow>(
    store.pool,
    {
      text: `SELECT ${PURCHASE_COLUMNS} FROM shop.purchase WHERE ${matching.text}${ofStatus}`,
      values: matching.values,
    },
    sortingOf(search),
  );
  for await (const lines of pages) yield addOrders(store, lines);
}

export async function addOrders<Line extends PurchaseRow>(
  { pool }: Store,
  lines: Line[],
): Promise<(Line & OrderOfLine)[]> {
  const { rows } = await pool.query<OrderOfLine>(
    `SELECT line.id, o.number, o.po_number,
       CASE WHEN ${fulfillmentStatusSql.refunded} THEN 'refunded' ELSE status END AS fulfillment,
       string_agg(nullif(carrier, ''), ' ' ORDER BY shipped_in.number) AS carriers,
       string_agg(nullif(tracking_number, ''), ' ' ORDER BY shipped_in.number) AS tracking_numbers
     FROM shop.purchase line JOIN shop.order o ON o.id = line.order_id
       LEFT JOIN shop.shipment_line sent ON sent.purchase_id = line.id
       LEFT JOIN shop.shipment shipped_in ON shipped_in.id = sent.shipment_id
     WHERE line.id = ANY ($1) GROUP BY line.id, o.id`,
    [lines.map(({ id }) => id)],
  );
  const orders = new Map(rows.map((row) => [row.id, row]));
  return lines.map((line) => ({ ...line, ...(orders.get(line.id) as OrderOfLine) }));
}
