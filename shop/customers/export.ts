import type { Readable } from "node:stream";
import { readPages } from "../../database/pagination.ts";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { fromCents } from "../money.ts";
import type { Store } from "../store.ts";
import {
  type CustomerFilter,
  type CustomerRow,
  filterConditions,
  findBuyersByOrder,
  matchCustomers,
  sortings,
} from "./search.ts";

const COLUMNS: CsvColumns<CustomerRow> = {
  name: (customer) => customer.name,
  email: (customer) => customer.email,
  orders: (customer) => customer.orders,
  revenue: (customer) => fromCents(customer.revenue_cents).toFixed(2),
  last_order_at: (customer) => customer.last_order_at,
  customer_since: (customer) => customer.created_at,
  closed_at: (customer) => customer.disabled_at,
};

export function exportCustomers(store: Store, search: CustomerFilter & { bom: boolean }): Readable {
  return streamCsv(COLUMNS, readCustomers(store, search), { bom: search.bom });
}

async function* readCustomers(store: Store, search: CustomerFilter): AsyncGenerator<CustomerRow[]> {
  const matching = matchCustomers(search, await findBuyersByOrder(store, search.q));
  yield* readPages<CustomerRow>(
    store.pool,
    {
      text: `SELECT * FROM (${matching.text}) AS customer WHERE true${search.filter ? filterConditions[search.filter] : ""}`,
      values: matching.values,
    },
    sortings[search.sort],
  );
}
