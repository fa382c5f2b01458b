import { useRef, useState } from "react";
import type { Output } from "../../../../api/contract.ts";
import type { Purchase } from "../../../../api/entities.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { count } from "../../../components/format.ts";
import { call } from "../../../data/api-client.ts";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { shipPurchase, unshippedPieces } from "./ship-purchase.ts";

const statuses = ["unpaid", "paid", "shipped", "refunded"] as const;
/** Value and label; the first is the default. */
const sorts = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["total", "Largest total"],
  ["waiting", "Longest waiting"],
] as const;

/** Only paid orders can be sorted by waiting time. */
export function sortOptions(status: (typeof statuses)[number] | undefined) {
  return sorts.filter(([name]) => name !== "waiting" || status === "paid");
}

export function readStatus({ get }: Pick<ListParams, "get">) {
  return oneOf(get("status"), statuses);
}

/** The query parameters that filter the list, in addition to status and search. */
export const filterNames = ["buyer", "customer", "po", "item", "from", "to", "age"] as const;

export function readSearch({ get }: Pick<ListParams, "get">) {
  const status = readStatus({ get });
  const sort = sortOptions(status).find(([name]) => name === get("sort"))?.[0];
  const filters = Object.fromEntries(filterNames.map((name) => [name, get(name)])) as Filters;
  return { status, q: get("q"), ...filters, sort };
}

type Filters = Record<(typeof filterNames)[number], string | undefined>;

export type ListedPurchase = Output<"searchPurchases">["orders"][number];

/** A line of another page of the list as it is now, or as it was if it cannot be loaded. */
export async function reloadPurchase(row: ListedPurchase): Promise<ListedPurchase> {
  const found = await call("findOrder", { params: { id: row._id } });
  return found.ok ? withPurchase(row, found.data) : row;
}

function withPurchase(
  { orderNumber, poNumber, lineCount, customerId }: ListedPurchase,
  purchase: Purchase,
): ListedPurchase {
  const order = { orderNumber, poNumber, lineCount, customerId };
  return { ...purchase, ...(order satisfies Record<Exclude<keyof ListedPurchase, keyof Purchase>, unknown>) };
}

/** The searched list, and the actions on its orders, which update it. */
export function useOrders(
  outcome: Outcome<Output<"searchPurchases">>,
  { sort: _, ...filters }: ReturnType<typeof readSearch> & { zone: string },
) {
  const orders = useLoaderResult(outcome);
  // the same object as long as the same list is shown: it may be another one when a shipment is made, or undone
  const shown = useRef(filters);
  if (JSON.stringify(shown.current) !== JSON.stringify(filters)) shown.current = filters;
  const attempt = useRef(orders.attempt);
  attempt.current = orders.attempt;
  const [shippingId, setShippingId] = useState<string | null>(null);

  /** Ships optimistically; without success the change is reverted, with the reason. */
  async function ship(purchase: Purchase) {
    if (shippingId === purchase._id) return;
    setShippingId(purchase._id);
    const loaded = attempt.current;
    const isReplaced = () => attempt.current !== loaded;
    const updateRow = (updated: Purchase, newlyShipped: number) =>
      orders.change((data) => ({
        ...data,
        orders: data.orders.map((row) => (row._id === updated._id ? withPurchase(row, updated) : row)),
        counts: {
          ...data.counts,
          paid: data.counts.paid - newlyShipped,
          shipped: data.counts.shipped + newlyShipped,
        },
        toShip: data.toShip - newlyShipped,
      }));
    const shipped: Purchase = { ...purchase, status: "shipped", shippedAt: new Date().toISOString() };
    updateRow(shipped, 1);
    const description = `${count(unshippedPieces(purchase))} ${purchase.productName} to ${purchase.name}`;
    const onUndone = () => void fetchUpdate(purchase).then((applyUpdate) => applyUpdate());
    const outcome = await shipPurchase({
      id: purchase._id,
      seenShipped: purchase.shippedPieces,
      description,
      onUndone,
    });
    const applyUpdate = isReplaced() || outcome === "refused" ? await fetchUpdate(purchase) : undefined;
    setShippingId((current) => (current === purchase._id ? null : current));
    if (!isReplaced()) {
      // also when shipped: a load in flight is older than the shipment
      if (outcome === "shipped") updateRow(shipped, 0);
      else updateRow(purchase, -1);
    }
    applyUpdate?.();
  }

  /** Fetches one row and the counts: reloading the list would move the next order's button under the pointer. */
  async function fetchUpdate({ _id }: Purchase): Promise<() => void> {
    const list = shown.current;
    const [purchase, listed] = await Promise.all([
      call("findOrder", { params: { id: _id } }),
      call("searchPurchases", { query: { ...list, status: undefined, limit: 1 } }),
    ]);
    if (!purchase.ok || !listed.ok) return orders.reload;
    const { counts, toShip } = listed.data;
    return () => {
      if (shown.current !== list) return orders.reload();
      orders.change((data) => ({
        ...data,
        orders: data.orders.map((row) => (row._id === _id ? withPurchase(row, purchase.data) : row)),
        counts,
        toShip,
      }));
    };
  }

  return { orders, ship, shippingId };
}
