import { type ReactNode, useState } from "react";
import type { OrderDetails } from "../../../api/order-calls.ts";
import { formatMoney } from "../../../shop/money.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { Fact } from "../../components/fact.tsx";
import { count, counted, dollars } from "../../components/format.ts";
import { Notice } from "../../components/notice.tsx";
import { OrderTrack } from "../../components/order-track.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { Panel } from "../../components/panel.tsx";
import { useFirstLines } from "../../components/use-first-lines.tsx";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { RefundButton } from "../admin/orders/refund-dialog.tsx";
import { RefundOrder } from "../admin/orders/refund-order.tsx";
import { ShipmentForm } from "../admin/orders/shipment-form.tsx";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { cancelLineQuestion, cancelOrderQuestion } from "./cancel-questions.ts";
import { fulfillmentStatusOf, statusOfOrder } from "./fulfillment-status.ts";
import { isOwnOrder } from "./is-own-order.ts";
import { OrderAgain } from "./order-again.tsx";
import { timelineOf } from "./order-events.ts";
import { OrderLinesTable } from "./order-lines-table.tsx";
import { DeliveryPanel, DocumentsPanel, OrderHelp, PaymentsPanel, ShipmentsPanel } from "./order-panels.tsx";
import { OrderTimeline } from "./order-timeline.tsx";
import { formatPieces } from "./order-wording.ts";
import { SaveAsList } from "./save-as-list.tsx";
import { SavedByPriceBreaks } from "./saved-by-price-breaks.tsx";
import { sumCents } from "./sum-cents.ts";

interface OrderOverviewProps {
  order: OrderDetails;
  /** it was changed, or its state is outdated: reload it */
  onChanged: () => void;
  /** its notes, for admins */
  children?: ReactNode;
}

/** An order of several lines: figures, lines, shipments and payments, then progress, delivery and documents. */
export function OrderOverview({ order, onChanged, children }: OrderOverviewProps) {
  const { user } = useDashboard();
  const [cancellingId, setCancellingId] = useState<string | null>(null);
  const { first, showRest } = useFirstLines(order.lines);
  const isAdmin = user.role === "admin";
  const isOwn = isOwnOrder(order, user);
  const side = isAdmin ? "admin" : "buyer";
  const activeLines = order.lines.filter((line) => !line.cancelledAt);
  const unpaid = activeLines.filter((line) => line.status === "unpaid");
  const status = statusOfOrder(order);
  const canCancel = unpaid.length > 0 && (isOwn || isAdmin);
  const line = order.lines.find(({ _id }) => _id === cancellingId);
  useFocusAfterRemoval(order.lines.map((item) => [item.status, item.cancelledAt, item.refunded]).join());
  const question = line ? cancelLineQuestion(line) : cancellingId && cancelOrderQuestion(order);

  return (
    <>
      <PageHead
        title={`Order ${order.number}`}
        fact={
          <>
            {counted(order.lineCount, "line")}, {count(order.pieces)} pieces, placed{" "}
            <DateTime at={order.placedAt} />.
          </>
        }
        action={
          <div className="acts no-print">
            {order.status !== "cancelled" && (
              <a className="btn btn--line" href={`/orders/${order._id}/confirmation.pdf`}>
                Print
              </a>
            )}
            {isOwn && !isAdmin && (
              <OrderAgain
                findLines={() => (activeLines.length > 0 ? activeLines : order.lines)}
                look={unpaid.length > 0 ? "line" : "primary"}
              />
            )}
            {isAdmin && activeLines.some((item) => fulfillmentStatusOf(item) === "paid") && (
              <ButtonLink icon="rows" to={`/dashboard/pick-list?orders=${order.number}`}>
                Pick list
              </ButtonLink>
            )}
            {isAdmin && <RefundOrder order={order} onChanged={onChanged} />}
            {canCancel && (
              <Button look="danger" onClick={() => setCancellingId(order._id)}>
                {labels.orders.cancel}
              </Button>
            )}
            {isOwn && unpaid.length > 0 && (
              <ButtonLink
                look="primary"
                to={`/dashboard/payment/${order._id}`}
                aria-label={`${labels.orders.pay} ${dollars(order.due ?? 0)}`}
              >
                {labels.orders.pay}
              </ButtonLink>
            )}
          </div>
        }
      />
      <dl className="figures">
        <Fact label="PO number" value={order.poNumber ?? <span className="soft">none</span>} />
        <Fact label="Total" value={dollars(order.total)} />
        <Fact
          label="Shipped"
          value={
            <>
              {count(order.shippedPieces)} <span className="soft">of {count(order.pieces)}</span>
            </>
          }
        />
        <div>
          <dt>Status</dt>
          <dd className="figures__status">
            <OrderTrack status={status} side={side} />
          </dd>
        </div>
      </dl>
      <div className="order-page">
        <div>
          {isAdmin && <ShipmentForm order={order} onChanged={onChanged} />}
          <Panel
            flush
            title="Lines"
            aside={
              isOwn &&
              !isAdmin &&
              activeLines.length > 0 && (
                <SaveAsList
                  name={`Order ${order.number}`}
                  lines={activeLines.map(({ productId, purchaseQuantity: quantity }) => ({
                    productId,
                    quantity,
                  }))}
                />
              )
            }
          >
            <OrderLinesTable
              caption={`Lines of order ${order.number}`}
              lines={first}
              linkTo={({ _id, productId }) => (isAdmin ? `/dashboard/order/${_id}` : `/product/${productId}`)}
              onCancel={canCancel ? ({ _id }) => setCancellingId(_id) : undefined}
              actionOf={
                isAdmin
                  ? (line) => (
                      <RefundButton
                        purchase={line}
                        line={formatPieces(line.purchaseQuantity, line.productName)}
                        onChanged={onChanged}
                      />
                    )
                  : undefined
              }
            />
            {showRest}
            <Totals order={order} />
          </Panel>
          <ShipmentsPanel order={order} isAdmin={isAdmin} onChanged={onChanged} />
          <PaymentsPanel order={order} isAdmin={isAdmin} />
          {children}
        </div>
        <div>
          <Panel strong title="Progress">
            {activeLines.some(({ testPayment }) => testPayment) && (
              <Notice kind={isAdmin ? "warn" : "info"}>
                <strong>Test payment.</strong> This order was paid with a test card and{" "}
                {isAdmin ? "no money was received." : "nothing was charged."}
              </Notice>
            )}
            <OrderTimeline
              events={timelineOf(order)}
              order={{ status, keptUntil: order.keptUntil }}
              side={side}
            />
          </Panel>
          <DeliveryPanel order={order} />
          <DocumentsPanel order={order} />
          {!isAdmin && <OrderHelp number={order.number} />}
        </div>
      </div>
      <CancelDialog
        question={question || null}
        onClose={() => setCancellingId(null)}
        onCancelled={onChanged}
        onRefused={onChanged}
      />
    </>
  );
}

function Totals({ order }: { order: OrderDetails }) {
  const refunded = sumCents(order.lines.map((line) => line.refunded ?? 0));
  return (
    <>
      <dl className="sum order-facts">
        <SavedByPriceBreaks lines={order.lines} />
      </dl>
      <div className="total">
        <span className="t-label">Total</span>
        <span className="total__sum">{dollars(order.total)}</span>
      </div>
      {refunded > 0 && (
        <dl className="sum order-facts">
          <Fact label="Refunded" value={`\u2212${formatMoney(refunded)}`} />
        </dl>
      )}
    </>
  );
}
