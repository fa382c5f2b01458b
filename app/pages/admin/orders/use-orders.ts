import { useState } from "react";
import type { Output } from "../../../../api/contract.ts";
import type { Purchase } from "../../../../api/entities.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { count } from "../../../components/format.ts";
import { call } from "../../../data/api-client.ts";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { shipOrder } from "./ship-order.ts";

const statuses = ["unpaid", "paid", "shipped", "refunded"] as const;
/** Value and label; the first is the default. */
const sorts = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["total", "Largest total"],
  ["waiting", "Longest waiting"],
] as const;

/** The sortings of the list; by waiting time only for paid orders. */
export function sortsOf(status: (typeof statuses)[number] | undefined) {
  return sorts.filter(([name]) => name !== "waiting" || status === "paid");
}

export function statusOf({ get }: Pick<ListParams, "get">) {
  return oneOf(get("status"), statuses);
}

/** The query parameters that filter the list, in addition to status and search. */
export const filterNames = ["buyer", "customer", "po", "item", "from", "to", "age"] as const;

export function searchIn({ get }: Pick<ListParams, "get">) {
  const status = statusOf({ get });
  const sort = sortsOf(status).find(([name]) => name === get("sort"))?.[0];
  const filters = Object.fromEntries(filterNames.map((name) => [name, get(name)])) as Filters;
  return { status, q: get("q"), ...filters, sort };
}

type Filters = Record<(typeof filterNames)[number], string | undefined>;

export type ListedOrder = Output<"searchPurchases">["orders"][number];

function renewed({ orderNumber, poNumber, lineCount, customerId }: ListedOrder, now: Purchase): ListedOrder {
  return { ...now, orderNumber, ...(poNumber && { poNumber }), lineCount, customerId };
}

/** The searched list, and the actions on its orders, which update it. */
export function useOrders(
  outcome: Outcome<Output<"searchPurchases">>,
  { sort: _, ...filters }: ReturnType<typeof searchIn>,
) {
  const orders = useLoaderResult(outcome);
  const [shipping, setShipping] = useState<string | null>(null);

  /** Ships optimistically; without success the change is reverted, with the reason. */
  async function ship(order: Purchase) {
    if (shipping === order._id) return;
    setShipping(order._id);
    const put = (now: Purchase, by: number) =>
      orders.change((data) => ({
        ...data,
        orders: data.orders.map((one) => (one._id === now._id ? renewed(one, now) : one)),
        counts: { ...data.counts, paid: data.counts.paid - by, shipped: data.counts.shipped + by },
        toShip: data.toShip - by,
      }));
    put({ ...order, status: "shipped", shippedAt: new Date().toISOString() }, 1);
    const what = `${count(order.purchaseQuantity)} ${order.productName} to ${order.name}`;
    const onUndone = () => void readAgain(order).then((renew) => renew());
    const outcome = await shipOrder({ id: order._id, what, onUndone });
    const renew = outcome === "refused" ? await readAgain(order) : undefined;
    setShipping((now) => (now === order._id ? null : now));
    if (outcome === "shipped") return;
    put(order, -1);
    renew?.();
  }

  /** Updates only its row and the counts: reloading the list would move the next order's button under the pointer. */
  async function readAgain({ _id }: Purchase): Promise<() => void> {
    const [order, listed] = await Promise.all([
      call("findOrder", { params: { id: _id } }),
      call("searchPurchases", { query: { ...filters, status: undefined, limit: 1 } }),
    ]);
    if (!order.ok || !listed.ok) return orders.reload;
    const { counts, toShip } = listed.data;
    return () =>
      orders.change((data) => ({
        ...data,
        orders: data.orders.map((one) => (one._id === _id ? renewed(one, order.data) : one)),
        counts,
        toShip,
      }));
  }

  return { orders, ship, shipping };
}
