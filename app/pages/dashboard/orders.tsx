import { useState } from "react";
import type { Purchase } from "../../../api/entities.ts";
import { labels } from "../../../shop/messages.ts";
import { formatMoney, toCents } from "../../../shop/money.ts";
import { call } from "../../api-client.ts";
import { CancelOrder } from "../../orders/cancel-order.tsx";
import { OrdersSkeleton } from "../../orders/orders-skeleton.tsx";
import { OrdersTable } from "../../orders/orders-table.tsx";
import { waitingForPayment } from "../../orders/wording.ts";
import { pageTitle } from "../../page-title.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CallFrame } from "../../ui/call-frame.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { SkipTo } from "../../ui/skip-to.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import { type Called, useCall } from "../../use-call.ts";
import { useDashboard } from "./layout.tsx";

export const meta = () => pageTitle("My Orders");

/** Few enough to read at a glance; older ones come on request. */
const PAGE = 50;

export default function OrdersPage() {
  const { user } = useDashboard();
  const list = useCall("listPurchasesOf", { params: { email: user.email }, query: { limit: PAGE } });
  const orders = list.data ?? [];
  return (
    <>
      <PageHead
        title={labels.menu.orders}
        fact={orders.length > 0 && factOf(orders, list.next !== undefined)}
        action={orders.length > 0 && <ButtonLink to="/tools">New order</ButtonLink>}
      />
      <CallFrame called={list} waiting={<OrdersSkeleton />} failed="Your orders could not be loaded.">
        {(shown) => (shown.length === 0 ? <NoOrders /> : <Orders list={list} orders={shown} />)}
      </CallFrame>
    </>
  );
}

function Orders({ list, orders }: { list: Called<Purchase[]>; orders: Purchase[] }) {
  const { user } = useDashboard();
  const [asking, setAsking] = useState<Purchase | null>(null);
  const [loading, setLoading] = useState(false);

  async function loadMore() {
    setLoading(true);
    const query = { limit: PAGE, cursor: list.next };
    const more = await call("listPurchasesOf", { params: { email: user.email }, query });
    setLoading(false);
    if (more.ok) {
      list.change((now) => [...now, ...more.data], more.next ?? null);
      focusOrder(more.data[0]);
    } else toast.error(more.detail, { label: "Try again", onPress: () => void loadMore() });
  }

  return (
    <>
      {list.next !== undefined && <SkipTo id="more">Skip to the end of the list</SkipTo>}
      <div className="panel">
        <OrdersTable orders={orders} onCancel={setAsking} />
      </div>
      {list.next !== undefined && (
        <div className="more" id="more">
          <Button busy={loading} onClick={loadMore}>
            Load more
          </Button>
        </div>
      )}
      <CancelOrder
        order={asking}
        onClose={() => setAsking(null)}
        onCancelled={(gone) => list.change((now) => now.filter((order) => order !== gone))}
        onRefused={list.reload}
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
