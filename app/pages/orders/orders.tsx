import { useState } from "react";
import type { Order } from "../../../api/entities.ts";
import { formatMoney } from "../../../shop/money.ts";
import { MAX_TOTAL } from "../../../shop/orders/rules.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { count, counted } from "../../components/format.ts";
import { ListView } from "../../components/list-view.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { PAGES, Pager } from "../../components/pager.tsx";
import { NotFoundPanel } from "../../components/query-boundary.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { SkipTo } from "../../components/skip-to.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { type ListParams, oneOf, useListParams } from "../../data/use-list-params.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";
import { ExportLink } from "../admin/export-link.tsx";
import { callerIn, queryOf } from "../dashboard/require-session.ts";
import { MAX_ORDERS } from "../payment/payable.ts";
import type { Route } from "./+types/orders.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { cancelOrderQuestion, cancelPurchaseQuestion } from "./cancel-questions.ts";
import { waitingForPayment } from "./order-wording.ts";
import { OrdersTable } from "./orders-table.tsx";
import { sumCents } from "./sum-cents.ts";

export const meta = () => pageTitle("My Orders");

const isUnpaid = ({ status }: Order) => status === "unpaid";

const PAGE_SIZE = 50;

const statuses = ["unpaid", "paid", "partly_shipped", "shipped"] as const;

const tabLabels: Record<(typeof statuses)[number], string> = {
  unpaid: labels.orders.unpaid,
  paid: labels.orders.paid,
  partly_shipped: "Partly shipped",
  shipped: labels.orders.shipping,
};

function queryFor({ get }: Pick<ListParams, "get">) {
  const status = oneOf(get("status"), statuses);
  return { mine: "true", limit: PAGE_SIZE, q: get("q")?.slice(0, 100), status, cursor: get("cursor") };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return { orders: await callerIn(context).call("listOrders", { query: queryFor(queryOf(url)) }) };
}

export default function OrdersPage({ loaderData }: Route.ComponentProps) {
  const list = useLoaderResult(loaderData.orders);
  useRevalidateOnReturn();
  const params = useListParams();
  const { q, status, cursor } = queryFor(params);
  const isFiltered = Boolean(q || status);
  const orders = unpaidFirst(list.data?.orders ?? []);
  const next = list.data?.next;
  const hasOrders = orders.length > 0 || isFiltered || cursor !== undefined;
  useFocusAfterRemoval(orders.map(({ _id }) => _id).join());

  function remove(removed: Order) {
    list.change((now) => ({ ...now, orders: now.orders.filter(({ _id }) => _id !== removed._id) }));
  }

  const isPart = next !== undefined || cursor !== undefined;
  return (
    <>
      <PageHead
        title={labels.menu.orders}
        fact={hasOrders && (isFiltered ? resultCount(orders, next) : describeUnpaid(orders, isPart))}
        action={
          hasOrders && (
            <div className="acts">
              <PayTogether orders={orders} />
              {orders.length > 0 && (
                <ExportLink path="/orders/export.csv" query={{ q, status }} label="Download CSV" />
              )}
              <ButtonLink to="/tools">New order</ButtonLink>
            </div>
          )
        }
      />
      {hasOrders && <Filters params={params} />}
      <ListView
        loaded={list}
        failed="Your orders could not be loaded."
        isEmpty={() => orders.length === 0}
        empty={<NoOrders params={hasOrders ? params : null} />}
        refused={(reason) => (
          <NotFoundPanel
            title="No such page"
            back={{ label: "Newest orders", to: "/dashboard/orders" }}
            reason={reason}
          />
        )}
        announcement={() => (isFiltered ? "" : counted(orders.length, "order"))}
      >
        {() => (
          <>
            {isPart && <SkipTo id={PAGES}>Skip to pagination</SkipTo>}
            <Orders orders={orders} onCancelled={remove} onChanged={list.reload} />
            <Pager
              previous={cursor && params.to({})}
              previousLabel="Newest"
              next={next && params.to({ cursor: next })}
            />
          </>
        )}
      </ListView>
    </>
  );
}

function unpaidFirst(orders: Order[]): Order[] {
  return orders.toSorted((one, other) => Number(isUnpaid(other)) - Number(isUnpaid(one)));
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

interface OrdersProps {
  orders: Order[];
  onCancelled: (order: Order) => void;
  /** some of its lines were cancelled, or its row is outdated */
  onChanged: () => void;
}

function Orders({ orders, onCancelled, onChanged }: OrdersProps) {
  const [cancelling, setCancelling] = useState<Order | null>(null);
  const current = cancelling && (orders.find(({ _id }) => _id === cancelling._id) ?? cancelling);
  const purchase = current?.lineCount === 1 && current.lines[0];
  const isCancelledEntirely = purchase || current?.due === current?.total;
  return (
    <>
      <div className="panel">
        <OrdersTable orders={orders} onCancel={setCancelling} />
      </div>
      <CancelDialog
        question={purchase ? cancelPurchaseQuestion(purchase) : current && cancelOrderQuestion(current)}
        onClose={() => setCancelling(null)}
        onCancelled={() => {
          if (current && isCancelledEntirely) onCancelled(current);
          else onChanged();
        }}
        onRefused={onChanged}
      />
    </>
  );
}

function Filters({ params }: { params: ListParams }) {
  return (
    <div className="listbar order-filters">
      <SearchField
        params={params}
        label="Search my orders"
        placeholder="Order, PO, item or tracking number"
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
  if (!params)
    return (
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
    );
  return (
    <EmptyState
      title="No matching orders"
      action={
        <Button onClick={() => params.set({ q: undefined, status: undefined })}>Show all orders</Button>
      }
    >
      Search for an order number, a PO number, a tool, an item number or a tracking number.
    </EmptyState>
  );
}

/** "Two orders are waiting for payment: $8,260.00."; `isPart`: there are other pages. */
function describeUnpaid(orders: Order[], isPart: boolean): string {
  const unpaid = orders.filter(isUnpaid);
  const cents = sumCents(unpaid.map(({ due = 0 }) => due));
  const fact = waitingForPayment(unpaid.length, formatMoney(cents));
  return isPart ? `On this page: ${fact.charAt(0).toLowerCase()}${fact.slice(1)}` : fact;
}

/** "3 orders found.", for screen readers. */
function resultCount(orders: Order[], next: string | undefined) {
  const found = `${count(orders.length)}${next === undefined ? "" : " or more"}`;
  return <span role="status">{orders.length === 1 ? "1 order found." : `${found} orders found.`}</span>;
}
