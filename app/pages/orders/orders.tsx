import { useState } from "react";
import type { Purchase } from "../../../api/entities.ts";
import { formatMoney, toCents } from "../../../shop/money.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { SkipTo } from "../../components/skip-to.tsx";
import { EmptyState } from "../../components/states.tsx";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";
import { callerIn } from "../dashboard/require-session.ts";
import type { Route } from "./+types/orders.ts";
import { CancelOrder } from "./cancel-order.tsx";
import { waitingForPayment } from "./order-wording.ts";
import { OrdersTable } from "./orders-table.tsx";

export const meta = () => pageTitle("My Orders");

/** Few enough to read at a glance; older ones come on request. */
const PAGE = 50;

export async function loader({ context }: Route.LoaderArgs) {
  const { email, ask } = callerIn(context);
  return { orders: await ask("listPurchasesOf", { params: { email }, query: { limit: PAGE } }) };
}

export default function OrdersPage({ loaderData }: Route.ComponentProps) {
  const list = useLoaderResult(loaderData.orders);
  useRevalidateOnReturn();
  const [more, setMore] = useState<More>({ orders: [] });
  const listed = new Set(list.data?.map(({ _id }) => _id));
  const orders = [...(list.data ?? []), ...more.orders.filter(({ _id }) => !listed.has(_id))];
  const next = more.orders.length > 0 ? more.next : list.next;

  function remove(gone: Purchase) {
    list.change((now) => now.filter(({ _id }) => _id !== gone._id));
    setMore((now) => ({ ...now, orders: now.orders.filter(({ _id }) => _id !== gone._id) }));
  }

  return (
    <>
      <PageHead
        title={labels.menu.orders}
        fact={orders.length > 0 && factOf(orders, next !== undefined)}
        action={orders.length > 0 && <ButtonLink to="/tools">New order</ButtonLink>}
      />
      <QueryBoundary loaded={list} failed="Your orders could not be loaded.">
        {() =>
          orders.length === 0 ? (
            <NoOrders />
          ) : (
            <Orders
              orders={orders}
              next={next}
              onMore={(page) => setMore((now) => ({ ...page, orders: [...now.orders, ...page.orders] }))}
              onCancelled={remove}
              onRefused={list.reload}
            />
          )
        }
      </QueryBoundary>
    </>
  );
}

/** The older orders that were asked for; they stay when the newest are loaded again. */
interface More {
  orders: Purchase[];
  next?: string | undefined;
}

interface OrdersProps extends More {
  onMore: (page: More) => void;
  onCancelled: (order: Purchase) => void;
  onRefused: () => void;
}

function Orders({ orders, next, onMore, onCancelled, onRefused }: OrdersProps) {
  const { user } = useDashboard();
  const [asking, setAsking] = useState<Purchase | null>(null);
  const [loading, setLoading] = useState(false);

  async function loadMore() {
    setLoading(true);
    const query = { limit: PAGE, cursor: next };
    const more = await call("listPurchasesOf", { params: { email: user.email }, query });
    setLoading(false);
    if (more.ok) {
      onMore({ orders: more.data, next: more.next });
      focusOrder(more.data[0]);
    } else toast.error(more.detail, { label: "Try again", onPress: () => void loadMore() });
  }

  return (
    <>
      {next !== undefined && <SkipTo id="more">Skip to the end of the list</SkipTo>}
      <div className="panel">
        <OrdersTable orders={orders} onCancel={setAsking} />
      </div>
      {next !== undefined && (
        <div className="more" id="more">
          <Button busy={loading} onClick={loadMore}>
            Load more
          </Button>
        </div>
      )}
      <CancelOrder
        order={asking && (orders.find(({ _id }) => _id === asking._id) ?? asking)}
        onClose={() => setAsking(null)}
        onCancelled={onCancelled}
        onRefused={onRefused}
      />
    </>
  );
}

/** The button may be gone after the last page, so the focus goes to the first of the orders that came. */
function focusOrder(order: Purchase | undefined) {
  const link = () => document.querySelector<HTMLElement>(`a[href="/dashboard/order/${order?._id}"]`);
  requestAnimationFrame(() => link()?.focus({ preventScroll: true }));
}

function NoOrders() {
  return (
    <div className="panel">
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
    </div>
  );
}

/** "Two orders are waiting for payment: $8,260.00."; `more` tells that older orders are not shown yet. */
function factOf(orders: Purchase[], more: boolean): string {
  const unpaid = orders.filter((order) => order.status === "unpaid");
  const cents = unpaid.reduce((sum, order) => sum + (toCents(order.total) ?? 0), 0);
  const fact = waitingForPayment(unpaid.length, formatMoney(cents));
  return more ? `Of the ${orders.length} newest: ${fact.charAt(0).toLowerCase()}${fact.slice(1)}` : fact;
}
