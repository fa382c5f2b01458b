import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { CancelOrder } from "../../orders/cancel-order.tsx";
import { OrderActions } from "../../orders/order-actions.tsx";
import { useOrderList } from "../../orders/order-list.ts";
import { DeliveryPanel, OrderSheet } from "../../orders/order-sheet.tsx";
import { type Order, OrderTimeline } from "../../orders/order-timeline.tsx";
import { standOf } from "../../orders/stand.ts";
import { piecesOf } from "../../orders/wording.ts";
import { pageTitle } from "../../page-title.ts";
import { Breadcrumbs } from "../../ui/breadcrumbs.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CallFrame } from "../../ui/call-frame.tsx";
import { Notice } from "../../ui/notice.tsx";
import { OrderTrack } from "../../ui/order-track.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { useCall } from "../../use-call.ts";
import { RefundButton } from "../admin/refund-dialog.tsx";
import { useDashboard } from "./layout.tsx";

export const meta = () => pageTitle("Order");

export default function OrderPage() {
  const { id = "" } = useParams();
  return <OrderOf key={id} id={id} />;
}

function OrderOf({ id }: { id: string }) {
  const called = useCall("findOrder", { params: { id } });
  const order = called.data;
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
      <CallFrame
        called={called}
        waiting={<Spinner label="Loading your order" />}
        failed="The order could not be loaded."
        refused={(reason) => <NoOrder>{reason}</NoOrder>}
      >
        {(shown) => <OrderOverview order={shown} onChanged={called.reload} />}
      </CallFrame>
    </>
  );
}

function OrderOverview({ order, onChanged }: { order: Order; onChanged: () => void }) {
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
            <OrderTrack status={standOf(order)} />
          </div>
          <div className="panel__bd">
            <OrderTimeline order={order}>
              {order.email === user.email && order.status === "unpaid" && (
                <div className="no-print">
                  <OrderActions order={order} onCancel={setAsking} />
                </div>
              )}
            </OrderTimeline>
            {user.role === "admin" && order.disputed && (
              <Notice kind="warn" icon="alert">
                The cardholder's bank has taken this payment back until it is decided. Answer the dispute in
                the card provider's dashboard, and think twice before you ship. It cannot be refunded
                meanwhile.
              </Notice>
            )}
            {user.role === "admin" && <RefundButton order={order} onChanged={onChanged} />}
          </div>
        </section>
        <DeliveryPanel order={order} />
      </div>
      <CancelOrder
        order={asking}
        onClose={() => setAsking(null)}
        onCancelled={() => navigate("/dashboard/orders", { replace: true })}
        onRefused={onChanged}
      />
    </div>
  );
}

function Trail() {
  return <Breadcrumbs items={[useOrderList(), { label: "Order" }]} />;
}

function NoOrder({ children }: { children: string }) {
  const list = useOrderList();
  return (
    <div className="panel">
      <EmptyState
        title="No such order"
        action={<ButtonLink to={list.to}>{`Back to ${list.label}`}</ButtonLink>}
      >
        {children}
      </EmptyState>
    </div>
  );
}
