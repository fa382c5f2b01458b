import { type ReactNode, useEffect, useState } from "react";
import { data, Link, useNavigate } from "react-router";
import type { OrderHeader } from "../../../api/entities.ts";
import type { OrderDetails } from "../../../api/order-calls.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { Breadcrumbs } from "../../components/breadcrumbs.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Fact } from "../../components/fact.tsx";
import { focusHeading } from "../../components/focus-heading.ts";
import { Notice } from "../../components/notice.tsx";
import { OrderTrack } from "../../components/order-track.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { Panel } from "../../components/panel.tsx";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import type { Caller } from "../../data/loader-context.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";
import { AdminPurchaseActions } from "../admin/orders/admin-purchase-actions.tsx";
import { OrderNotes } from "../admin/orders/order-notes.tsx";
import { RefundButton } from "../admin/orders/refund-dialog.tsx";
import { UndoShipment } from "../admin/orders/undo-shipment.tsx";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";
import { callerIn } from "../dashboard/require-session.ts";
import type { Route } from "./+types/order.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { cancelBuyersPurchaseQuestion, cancelPurchaseQuestion } from "./cancel-questions.ts";
import { fulfillmentStatusOf } from "./fulfillment-status.ts";
import { isOwnOrder } from "./is-own-order.ts";
import { OrderAgain } from "./order-again.tsx";
import { lineTimelineOf } from "./order-events.ts";
import { useOrderList } from "./order-list.ts";
import { OrderOverview } from "./order-overview.tsx";
import { DeliveryPanel, DocumentsPanel, OrderHelp, ShipmentsPanel } from "./order-panels.tsx";
import { OrderTimeline, type PurchaseDetails } from "./order-timeline.tsx";
import { formatPieces } from "./order-wording.ts";
import { PurchaseActions } from "./purchase-actions.tsx";
import { PurchasePanel } from "./purchase-panels.tsx";

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageTitle(loaderData?.order.ok ? titleOf(loaderData.order.data) : "Order");

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const caller = callerIn(context);
  const [order, notes] = await Promise.all([
    findShownOrder(caller, id, url.searchParams.has("lines")),
    caller.isAdmin ? caller.call("listOrderNotes", { params: { id } }) : undefined,
  ]);
  return data({ order, notes }, order.ok ? 200 : order.status);
}

/**
 * The page of a purchase that is the only line of its order; otherwise, or with `?lines`, of the order with all its
 * lines.
 */
type ShownOrder = ShownPurchase | OrderDetails;
type ShownPurchase = PurchaseDetails &
  OrderHeader &
  Pick<OrderDetails, "lineCount" | "mine"> & { whole?: OrderDetails };

async function findShownOrder(caller: Caller, id: string, withLines: boolean): Promise<Outcome<ShownOrder>> {
  const found = await caller.call("findOrderDetails", { params: { id } });
  if (!found.ok) return found.status === 404 ? { ...found, detail: refusals.purchaseNotFound } : found;
  if (withLines) return found;
  // without the lists, which can be long, and the end of the hold, which a paid line does not have
  const { lines, shipments, payments, refunds, documents, timeline, keptUntil, ...order } = found.data;
  const header = { ...order, lineCount: lines.length };
  const [only, ...others] = lines;
  if (only && others.length === 0)
    return only.cancelledAt
      ? { ok: false, status: 404, detail: refusals.purchaseNotFound }
      : { ok: true, data: { ...header, ...only, timeline, whole: found.data } };
  // an admin's actions for one line are on its own page
  const isLine = caller.isAdmin && lines.some(({ _id, cancelledAt }) => _id === id && !cancelledAt);
  if (!isLine) return found;
  const line = await caller.call("findOrder", { params: { id } });
  return line.ok ? { ok: true, data: { ...header, ...line.data } } : line;
}

export default function OrderPage({ loaderData, params: { id } }: Route.ComponentProps) {
  const { order, notes } = loaderData;
  return (
    <LoadedOrder key={id} id={id} outcome={order}>
      {notes && <OrderNotes orderId={id} outcome={notes} />}
    </LoadedOrder>
  );
}

interface LoadedOrderProps {
  id: string;
  outcome: Outcome<ShownOrder>;
  /** its notes, for admins */
  children: ReactNode;
}

function LoadedOrder({ id, outcome, children }: LoadedOrderProps) {
  const loaded = useLoaderResult(outcome);
  useRevalidateOnReturn();
  const order = loaded.data;
  const isPurchase = order && !("lines" in order);
  const isAdmin = useDashboard().user.role === "admin";
  const title = order ? titleOf(order) : "Order";
  // Ship a part is on the page that it replaces
  useFocusAfterRemoval(String(isPurchase));
  return (
    <>
      <Breadcrumbs items={[useOrderList(), ...breadcrumbsOf(order, title)]} />
      {(!order || isPurchase) && (
        <PageHead
          title={title}
          fact={order && formatPieces(order.purchaseQuantity, order.productName)}
          action={
            order && (
              <div className="acts no-print">
                {order.lineCount > 1 && (
                  <ButtonLink to={`/dashboard/order/${order.number}`}>See the whole order</ButtonLink>
                )}
                <Button onClick={() => window.print()}>Print</Button>
                {isPurchase && order.whole && !isAdmin && (
                  <OrderAgain findLines={() => [order]} look="line" />
                )}
              </div>
            )
          }
        />
      )}
      <QueryBoundary
        loaded={loaded}
        failed="The order could not be loaded."
        refused={(reason) => <OrderNotFound id={id}>{reason}</OrderNotFound>}
      >
        {(shown) =>
          "lines" in shown ? (
            <OrderOverview order={shown} onChanged={loaded.reload}>
              {children}
            </OrderOverview>
          ) : (
            <PurchaseOverview purchase={shown} onChanged={loaded.reload}>
              {children}
            </PurchaseOverview>
          )
        }
      </QueryBoundary>
    </>
  );
}

interface PurchaseOverviewProps {
  purchase: ShownPurchase;
  onChanged: () => void;
  children: ReactNode;
}

/** The progress with its actions comes first; on a wide screen the product is to the left of it. */
function PurchaseOverview({ purchase, onChanged, children }: PurchaseOverviewProps) {
  const { whole: details } = purchase;
  const { user } = useDashboard();
  const navigate = useNavigate();
  const [isCancelling, setIsCancelling] = useState(false);
  const openCancelDialog = () => setIsCancelling(true);
  const isOwn = isOwnOrder(purchase, user);
  const isAdmin = user.role === "admin";
  const questionOf = isOwn ? cancelPurchaseQuestion : cancelBuyersPurchaseQuestion;
  const side = isAdmin ? "admin" : "buyer";
  const progress = useFocusAfterRemoval(`${purchase.status} ${purchase.refunded}`);
  return (
    <div className="pay order">
      <Panel
        strong
        className="order__progress"
        title="Progress"
        headingRef={progress}
        aside={<OrderTrack status={fulfillmentStatusOf(purchase)} side={side} />}
      >
        {purchase.testPayment && (
          <Notice kind={isAdmin ? "warn" : "info"}>
            <strong>Test payment.</strong>{" "}
            {isAdmin
              ? "This order was paid with a test card and no money was received. Ship it only to try out the store."
              : "This order was paid with a test card and nothing was charged."}
          </Notice>
        )}
        <OrderTimeline
          events={lineTimelineOf(purchase.timeline)}
          order={{ ...purchase, status: fulfillmentStatusOf(purchase) }}
          side={side}
        >
          <div className="no-print">
            {isOwn && purchase.status === "unpaid" ? (
              <PurchaseActions purchase={purchase} onCancel={openCancelDialog} />
            ) : (
              isAdmin && (
                <AdminPurchaseActions purchase={purchase} onChanged={onChanged} onCancel={openCancelDialog} />
              )
            )}
            {isAdmin && details && fulfillmentStatusOf(purchase) === "paid" && (
              <p className="order__parts">
                <Link className="link" to="?lines=">
                  Ship a part, or with a tracking number
                </Link>
              </p>
            )}
          </div>
        </OrderTimeline>
        {isAdmin && purchase.disputed && (
          <Notice kind="warn" icon="alert">
            This payment is disputed. Respond in Stripe; hold shipment and refunds until it is resolved.
          </Notice>
        )}
        {isAdmin && purchase.status === "shipped" && <UndoShipment id={purchase._id} />}
        {isAdmin && <RefundButton purchase={purchase} onChanged={onChanged} />}
      </Panel>
      <PurchasePanel purchase={purchase} />
      <div className="order__delivery">
        <DeliveryPanel order={purchase}>
          {purchase.poNumber && <Fact label="PO number" value={purchase.poNumber} />}
        </DeliveryPanel>
        {details && <ShipmentsPanel order={details} isAdmin={isAdmin} onChanged={onChanged} />}
        {details && <DocumentsPanel order={details} />}
        {!isAdmin && <OrderHelp number={purchase.number} />}
      </div>
      {children && <div className="order__notes">{children}</div>}
      <CancelDialog
        question={isCancelling ? questionOf(purchase) : null}
        onClose={() => setIsCancelling(false)}
        onCancelled={() =>
          navigate(isOwn ? "/dashboard/orders" : "/dashboard/manageOrder", { replace: true })
        }
        onRefused={onChanged}
      />
    </div>
  );
}

function titleOf({ number }: ShownOrder): string {
  return `Order ${number}`;
}

/** A line of an order of several has the order above it. */
function breadcrumbsOf(order: ShownOrder | undefined, title: string): { label: string; to?: string }[] {
  if (!order || "lines" in order || order.lineCount === 1) return [{ label: title }];
  return [{ label: title, to: `/dashboard/order/${order.number}` }, { label: order.productName }];
}

function OrderNotFound({ id, children }: { id: string; children: string }) {
  const list = useOrderList();
  // the control that had the focus may be gone
  useEffect(focusHeading, []);
  const isAdmin = useDashboard().user.role === "admin";
  return (
    <div className="panel">
      <EmptyState
        title="No such order"
        action={
          <div className="acts">
            <ButtonLink to={list.to}>{`Back to ${list.label}`}</ButtonLink>
            {isAdmin && <ButtonLink to={`/dashboard/audit-log?q=${id}`}>View audit log</ButtonLink>}
          </div>
        }
      >
        {children}
      </EmptyState>
    </div>
  );
}
