import { useState } from "react";
import { flushSync } from "react-dom";
import type { Order } from "../../../api/entities.ts";
import { formatMoney } from "../../../shop/money.ts";
import { MAX_TOTAL } from "../../../shop/orders/rules.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { count } from "../../components/format.ts";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { SkipTo } from "../../components/skip-to.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { toast } from "../../components/toast.ts";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { call } from "../../data/api-client.ts";
import { type ListParams, oneOf, useListParams } from "../../data/use-list-params.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";
import { callerIn, queryOf } from "../dashboard/require-session.ts";
import { MAX_ORDERS } from "../payment/payable.ts";
import type { Route } from "./+types/orders.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { cancelOrderQuestion, cancelPurchaseQuestion } from "./cancel-questions.ts";
import { waitingForPayment } from "./order-wording.ts";
import { OrdersTable, orderPath } from "./orders-table.tsx";
import { sumCents } from "./sum-cents.ts";

export const meta = () => pageTitle("My Orders");

const isUnpaid = ({ status }: Order) => status === "unpaid";

/** Short enough to scan; older orders load on request. */
const PAGE_SIZE = 50;

const statuses = ["unpaid", "paid", "partly_shipped", "shipped"] as const;

const tabLabels: Record<(typeof statuses)[number], string> = {
  unpaid: labels.orders.unpaid,
  paid: labels.orders.paid,
  partly_shipped: "Partly shipped",
  shipped: labels.orders.shipping,
};

function filterOf({ get }: Pick<ListParams, "get">) {
  const status = oneOf(get("status"), statuses);
  return { mine: "true", limit: PAGE_SIZE, q: get("q")?.slice(0, 100), status };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return { orders: await callerIn(context).call("listOrders", { query: filterOf(queryOf(url)) }) };
}

export default function OrdersPage({ loaderData }: Route.ComponentProps) {
  const list = useLoaderResult(loaderData.orders);
  useRevalidateOnReturn();
  const params = useListParams();
  const filter = params.to({});
  const isFiltered = Boolean(params.get("q") || filterOf(params).status);
  const [older, setOlder] = useState<Older>({ orders: [], filter });
  const more = older.filter === filter ? older : { orders: [], filter };
  const first = list.data?.orders ?? [];
  const last = first.at(-1)?._id;
  // ids grow with time; a new order may have moved one of the first page among the older ones
  const all = [...first, ...more.orders.filter(({ _id }) => last === undefined || _id < last)];
  const orders = all.toSorted((one, other) => Number(isUnpaid(other)) - Number(isUnpaid(one)));
  const next = more.orders.length > 0 ? more.next : list.data?.next;
  const hasOrders = orders.length > 0 || isFiltered;
  useFocusAfterRemoval(orders.map(({ _id }) => _id).join());

  function remove(removed: Order) {
    const withoutRemoved = (all: Order[]) => all.filter(({ _id }) => _id !== removed._id);
    list.change((now) => ({ ...now, orders: withoutRemoved(now.orders) }));
    setOlder((now) => ({ ...now, orders: withoutRemoved(now.orders) }));
  }

  /** The order may be an older one, which a reload of the list leaves out. */
  async function refresh(changed: Order) {
    list.reload();
    const found = await call("findOrderDetails", { params: { id: changed._id } });
    if (!found.ok) return;
    if (found.data.status === "cancelled") return remove(changed);
    const lines = found.data.lines.filter(({ cancelledAt }) => !cancelledAt);
    const current: Order = { ...found.data, lines: lines.slice(0, changed.lines.length) };
    setOlder((now) => ({
      ...now,
      orders: now.orders.map((order) => (order._id === changed._id ? current : order)),
    }));
  }

  return (
    <>
      <PageHead
        title={labels.menu.orders}
        fact={
          hasOrders && (isFiltered ? resultCount(orders, next) : describeUnpaid(orders, next !== undefined))
        }
        action={
          hasOrders && (
            <div className="acts">
              <PayTogether orders={orders} />
              <ButtonLink to="/tools">New order</ButtonLink>
            </div>
          )
        }
      />
      {hasOrders && <Filters params={params} />}
      <QueryBoundary loaded={list} failed="Your orders could not be loaded.">
        {() =>
          orders.length === 0 ? (
            <NoOrders params={isFiltered ? params : null} />
          ) : (
            <Orders
              orders={orders}
              next={next}
              filter={filterOf(params)}
              onMore={(page) => setOlder({ ...page, orders: [...all, ...page.orders], filter })}
              onCancelled={remove}
              onChanged={(order) => void refresh(order)}
            />
          )
        }
      </QueryBoundary>
    </>
  );
}

/** One payment for all unpaid orders of the list, if there are several within the limit of a card payment. */
function PayTogether({ orders }: { orders: Order[] }) {
  const unpaid = orders.filter(isUnpaid);
  const cents = sumCents(unpaid.map(({ due = 0 }) => due));
  if (unpaid.length < 2 || unpaid.length > MAX_ORDERS || cents > MAX_TOTAL) return null;
  return (
    <ButtonLink look="ink" to={`/dashboard/payment/${unpaid.map(({ number }) => number).join()}`}>
      Pay {unpaid.length} orders
    </ButtonLink>
  );
}

/** The older orders loaded on request; kept when the newest are reloaded. */
interface Older extends MoreOrders {
  /** the query of the URL that they belong to */
  filter: string;
}

interface MoreOrders {
  orders: Order[];
  next?: string | undefined;
}

interface OrdersProps extends MoreOrders {
  filter: ReturnType<typeof filterOf>;
  onMore: (page: MoreOrders) => void;
  onCancelled: (order: Order) => void;
  /** or its row may be outdated */
  onChanged: (order: Order) => void;
}

function Orders({ orders, next, filter, onMore, onCancelled, onChanged }: OrdersProps) {
  const [cancelling, setCancelling] = useState<Order | null>(null);
  const [loading, setLoading] = useState(false);
  const current = cancelling && (orders.find(({ _id }) => _id === cancelling._id) ?? cancelling);
  const purchase = current?.lineCount === 1 && current.lines[0];
  const isCancelledEntirely = purchase || current?.due === current?.total;

  async function loadMore() {
    setLoading(true);
    const more = await call("listOrders", { query: { ...filter, cursor: next } });
    setLoading(false);
    if (more.ok) {
      flushSync(() => onMore({ orders: more.data.orders, next: more.data.next }));
      focusOrder(more.data.orders[0]);
    } else toast.error(more.detail, { label: "Try again", onPress: () => void loadMore() });
  }

  return (
    <>
      {next !== undefined && <SkipTo id="more">Skip to the end of the list</SkipTo>}
      <div className="panel">
        <OrdersTable orders={orders} onCancel={setCancelling} />
      </div>
      {next !== undefined && (
        <div className="more" id="more">
          <Button busy={loading} onClick={loadMore}>
            Load more
          </Button>
        </div>
      )}
      <CancelDialog
        question={purchase ? cancelPurchaseQuestion(purchase) : current && cancelOrderQuestion(current)}
        onClose={() => setCancelling(null)}
        onCancelled={() => {
          if (current) (isCancelledEntirely ? onCancelled : onChanged)(current);
        }}
        onRefused={() => current && onChanged(current)}
      />
    </>
  );
}

/** The button may be gone after the last page, so the focus moves to the first loaded order. */
function focusOrder(order: Order | undefined) {
  const link = order && document.querySelector<HTMLElement>(`a[href="${orderPath(order)}"]`);
  link?.focus({ preventScroll: true });
}

function Filters({ params }: { params: ListParams }) {
  return (
    <div className="listbar order-filters">
      <SearchField
        label="Search my orders"
        placeholder="Order, PO, item or tracking number"
        value={params.get("q") ?? ""}
        onSearch={(q) => params.set({ q }, { replace: true })}
      />
      <Tabs
        label="Status"
        params={params}
        name="status"
        items={[[undefined, "All"], ...Object.entries(tabLabels)]}
      />
    </div>
  );
}

function NoOrders({ params }: { params: ListParams | null }) {
  return (
    <div className="panel">
      {params ? (
        <EmptyState
          title="No matching orders"
          action={
            <Button onClick={() => params.set({ q: undefined, status: undefined })}>Show all orders</Button>
          }
        >
          Search for an order number, a PO number, a tool, an item number or a tracking number.
        </EmptyState>
      ) : (
        <EmptyState
          title="No orders yet"
          action={
            <ButtonLink look="primary" to="/tools">
              See all tools
            </ButtonLink>
          }
        >
          Choose a tool, set a quantity, and the purchase order appears here.
        </EmptyState>
      )}
    </div>
  );
}

/** "Two orders are waiting for payment: $8,260.00."; `more`: older orders are not shown yet. */
function describeUnpaid(orders: Order[], more: boolean): string {
  const unpaid = orders.filter(isUnpaid);
  const cents = sumCents(unpaid.map(({ due = 0 }) => due));
  const fact = waitingForPayment(unpaid.length, formatMoney(cents));
  return more ? `Of the ${orders.length} newest: ${fact.charAt(0).toLowerCase()}${fact.slice(1)}` : fact;
}

/** "3 orders found.", for screen readers. */
function resultCount(orders: Order[], next: string | undefined) {
  const found = `${count(orders.length)}${next === undefined ? "" : " or more"}`;
  return <span role="status">{orders.length === 1 ? "1 order found." : `${found} orders found.`}</span>;
}
