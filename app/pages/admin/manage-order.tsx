import { useState } from "react";
import { Link } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { labels, messages } from "../../../shop/messages.ts";
import { call } from "../../api-client.ts";
import { pageTitle } from "../../page-title.ts";
import { Button } from "../../ui/button.tsx";
import { count, dollars } from "../../ui/format.ts";
import { ListFrame } from "../../ui/list-frame.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Picture } from "../../ui/picture.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { Actions, type Column, Lead, Table } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.ts";
import { type Address, useAddress } from "../../use-address.ts";
import { useCall } from "../../use-call.ts";
import { CancelOrderDialog } from "./cancel-order-dialog.tsx";
import { OrderStatus } from "./order-status.tsx";
import { SortSelect } from "./sort-select.tsx";
import { renewWaiting } from "./waiting.ts";

export const meta = () => pageTitle("Manage All Orders");

const statuses = ["unpaid", "paid", "shipped"] as const;
const sorts = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["total", "Largest total"],
] as const;

/** Manage All Orders (specification, section 4): an admin ships what is paid and cancels what is not. */
export default function ManageOrderPage() {
  const address = useAddress();
  const { orders, ship, withdraw, shipping } = useOrders(address);
  const [toCancel, setToCancel] = useState<Purchase | null>(null);
  const counts = orders.data?.counts;
  const q = address.get("q");

  return (
    <>
      <PageHead title={labels.menu.manageOrders} fact={<Waiting paid={orders.data?.toShip} />} />
      <div className="listbar">
        <SearchField
          label="Search orders"
          placeholder="Buyer, tool or any id"
          value={q ?? ""}
          onSearch={(text) => address.set({ q: text }, { replace: true })}
        />
        <SortSelect sorts={sorts} address={address} />
      </div>
      <StatusTabs address={address} counts={counts} />
      <ListFrame
        called={orders}
        isEmpty={(data) => data.orders.length === 0}
        empty={<NoOrders address={address} />}
        news={(data) =>
          `${count(data.orders.length)} of ${count(data.counts[statusOf(address) ?? "all"])} orders`
        }
      >
        {(data) => (
          <>
            <Panel flush>
              <Table
                caption="Orders"
                className="tbl--orders"
                rows={data.orders}
                rowKey={(order) => order._id}
                columns={columnsOf({ ship, shipping, onCancel: setToCancel })}
              />
            </Panel>
            <Pager
              previous={data.previous && address.to({ cursor: data.previous })}
              next={data.next && address.to({ cursor: data.next })}
            />
          </>
        )}
      </ListFrame>
      <CancelOrderDialog order={toCancel} onClose={() => setToCancel(null)} onCancelled={withdraw} />
    </>
  );
}

function statusOf(address: Address) {
  return statuses.find((status) => status === address.get("status"));
}

/** The list, and what may be done with one order of it; both keep what is shown in step. */
function useOrders(address: Address) {
  const sort = sorts.map(([name]) => name).find((name) => name === address.get("sort"));
  const orders = useCall("searchOrders", {
    query: { status: statusOf(address), q: address.get("q"), sort, cursor: address.get("cursor") },
  });
  const [shipping, setShipping] = useState<string | null>(null);

  /** Ships at once on the screen; a refusal takes it back and says why. */
  async function ship(order: Purchase) {
    if (shipping === order._id) return;
    setShipping(order._id);
    const put = (now: Purchase, by: number) =>
      orders.change((data) => ({
        ...data,
        orders: data.orders.map((one) => (one._id === now._id ? now : one)),
        counts: { ...data.counts, paid: data.counts.paid - by, shipped: data.counts.shipped + by },
        toShip: data.toShip - by,
      }));
    put({ ...order, status: "shipped", shippedAt: new Date().toISOString() }, 1);
    const answer = await call("shipPurchase", { params: { id: order._id } });
    setShipping(null);
    void renewWaiting();
    if (answer.ok && answer.data.modifiedCount > 0) return toast.success(messages.orders.shipped);
    put(order, -1);
    if (!answer.ok) toast.error(answer.detail);
    orders.reload();
  }

  return { orders, ship, withdraw: orders.reload, shipping };
}

function Waiting({ paid }: { paid: number | undefined }) {
  if (paid === undefined) return <>Ship what is paid, cancel what is not.</>;
  if (paid === 0) return <>No paid order is waiting to ship.</>;
  return <>{paid === 1 ? "1 paid order is" : `${count(paid)} paid orders are`} waiting to ship.</>;
}

function StatusTabs({
  address,
  counts,
}: {
  address: Address;
  counts: Record<"all" | (typeof statuses)[number], number> | undefined;
}) {
  const names = { unpaid: labels.orders.unpaid, paid: "Paid, to ship", shipped: labels.orders.shipped };
  const current = statusOf(address);
  return (
    <Tabs
      label="Status"
      items={[
        { to: address.to({ status: undefined }), label: "All", count: counts?.all, current: !current },
        ...statuses.map((status) => ({
          to: address.to({ status }),
          label: names[status],
          count: counts?.[status],
          current: current === status,
        })),
      ]}
    />
  );
}

interface RowActs {
  ship: (order: Purchase) => void;
  shipping: string | null;
  onCancel: (order: Purchase) => void;
}

function columnsOf(acts: RowActs): Column<Purchase>[] {
  return [
    {
      id: "product",
      heading: "Product",
      kind: "lead",
      cell: (order) => (
        <Lead
          picture={<Picture src={order.picture} alt="" />}
          name={
            <Link className="link" to={`/dashboard/order/${order._id}`} prefetch="intent">
              {order.productName}
            </Link>
          }
          note={order.itemNumber}
        />
      ),
    },
    {
      id: "buyer",
      heading: "Buyer",
      wide: true,
      cell: (order) => (
        <>
          <span className="cut block" title={order.name}>
            {order.name}
          </span>
          <span className="cell-2 cut" title={order.email}>
            {order.email}
          </span>
        </>
      ),
    },
    {
      id: "quantity",
      heading: "Quantity",
      kind: "figure",
      cell: (order) => count(order.purchaseQuantity),
    },
    { id: "total", heading: "Total", kind: "strong", cell: (order) => dollars(order.total) },
    { id: "status", heading: "Status", wide: true, cell: (order) => <OrderStatus order={order} /> },
    {
      id: "act",
      heading: "Action",
      kind: "action",
      headingHidden: true,
      cell: (order) => <Act order={order} {...acts} />,
    },
  ];
}

/** What an admin may do (section 4): cancel what is unpaid, ship what is paid, nothing to what is shipped. */
function Act({ order, ship, shipping, onCancel }: RowActs & { order: Purchase }) {
  const { cancel, pending } = labels.orders;
  const what = `${count(order.purchaseQuantity)} ${order.productName}`;
  if (order.status === "unpaid") {
    return (
      <Actions>
        <Button
          look="danger"
          size="sm"
          onClick={() => onCancel(order)}
          aria-label={`${cancel}, ${what}, ${order.name}`}
        >
          {cancel}
        </Button>
      </Actions>
    );
  }
  // what was given back whole is not sent any more
  if (order.status === "shipped" || order.refunded === order.total) return null;
  return (
    <Actions>
      <Button
        look="primary"
        size="sm"
        busy={shipping === order._id}
        onClick={() => ship(order)}
        aria-label={`${pending}, ship ${what} to ${order.name}`}
      >
        {pending}
      </Button>
    </Actions>
  );
}

function NoOrders({ address }: { address: Address }) {
  const filtered = address.get("q") || address.get("status") || address.get("cursor");
  if (!filtered)
    return <EmptyState title="No orders yet">An order stands here as soon as a buyer places one.</EmptyState>;
  return (
    <EmptyState
      title="No order fits"
      action={
        <Button onClick={() => address.set({ q: undefined, status: undefined, sort: undefined })}>
          Show all orders
        </Button>
      }
    >
      Look for a buyer, an e-mail, a tool, an item number or a transaction id.
    </EmptyState>
  );
}
