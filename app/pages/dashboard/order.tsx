import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { labels } from "../../../shop/messages.ts";
import { CancelOrder } from "../../orders/cancel-order.tsx";
import { OrderActions } from "../../orders/order-actions.tsx";
import { DeliveryPanel, OrderSheet } from "../../orders/order-sheet.tsx";
import { type Order, OrderTimeline } from "../../orders/order-timeline.tsx";
import { piecesOf } from "../../orders/wording.ts";
import { pageTitle } from "../../page-title.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { OrderTrack } from "../../ui/order-track.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { EmptyState, ErrorState } from "../../ui/states.tsx";
import { useAnswer } from "../../use-answer.ts";
import { RefundButton } from "../admin/refund-dialog.tsx";
import { useDashboard } from "./layout.tsx";

export const meta = () => pageTitle("Order");

export default function OrderPage() {
  const { id = "" } = useParams();
  const { phase, data: order, failure, ask } = useAnswer("findOrder", { params: { id } });
  const refused = failure && failure.status >= 400 && failure.status < 500 && failure.status !== 429;
  return (
    <>
      <Trail />
      <PageHead
        title="Order"
        fact={order && piecesOf(order.purchaseQuantity, order.productName)}
        action={
          order && (
            <Button icon="print" className="no-print" onClick={() => window.print()}>
              Print
            </Button>
          )
        }
      />
      {phase === "loading" && <Spinner label="Loading your order" />}
      {phase === "failed" && !refused && (
        <ErrorState onRetry={ask}>The order could not be loaded. {failure?.detail}</ErrorState>
      )}
      {phase === "failed" && refused && <NoOrder>{failure.detail}</NoOrder>}
      {phase === "ready" && order && <OrderOverview order={order} onChanged={ask} />}
    </>
  );
}

function OrderOverview({ order, onChanged }: { order: Order; onChanged: () => Promise<void> }) {
  const { user } = useDashboard();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Purchase | null>(null);
  return (
    <div className="pay order">
      <OrderSheet order={order} />
      <div className="order__side">
        <section className="panel po">
          <div className="panel__hd">
            <h2 className="t-h3">Progress</h2>
            <OrderTrack status={order.status} />
          </div>
          <div className="panel__bd">
            <OrderTimeline order={order}>
              {order.email === user.email && order.status === "unpaid" && (
                <div className="no-print">
                  <OrderActions order={order} onCancel={setAsking} />
                </div>
              )}
            </OrderTimeline>
            {user.role === "admin" && <RefundButton order={order} onChanged={() => void onChanged()} />}
          </div>
        </section>
        <DeliveryPanel order={order} />
      </div>
      <CancelOrder
        order={asking}
        onClose={() => setAsking(null)}
        onCancelled={() => navigate("/dashboard/orders", { replace: true })}
        onRefused={() => void onChanged()}
      />
    </div>
  );
}

/** An admin came from all orders, a buyer from their own. */
function Trail() {
  const { user } = useDashboard();
  const list =
    user.role === "admin"
      ? { label: labels.menu.manageOrders, to: "/dashboard/manageOrder" }
      : { label: labels.menu.orders, to: "/dashboard/orders" };
  return <Breadcrumbs items={[list, { label: "Order" }]} />;
}

function NoOrder({ children }: { children: string }) {
  return (
    <div className="panel">
      <EmptyState
        title="No such order"
        action={<ButtonLink to="/dashboard/orders">Back to My Orders</ButtonLink>}
      >
        {children}
      </EmptyState>
    </div>
  );
}
