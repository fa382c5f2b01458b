import { useState } from "react";
import type { Purchase } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { EmptyState } from "../../../components/states.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { type ListParams, useListParams } from "../../../data/use-list-params.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { ExportLink } from "../export-link.tsx";
import { ListSearch, ListTable } from "../list-table.tsx";
import { SortSelect } from "../sort-select.tsx";
import type { Route } from "./+types/manage-order.ts";
import { CancelOrderDialog } from "./cancel-order-dialog.tsx";
import { orderColumns } from "./order-columns.tsx";
import { searchIn, sortsOf, statuses, statusOf, useOrders } from "./use-orders.ts";

export const meta = () => pageTitle("Manage All Orders");

/** Manage All Orders (specification, section 4): an admin ships what is paid and cancels what is not. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { get } = queryOf(url);
  const query = { ...searchIn({ get }), cursor: get("cursor") };
  return { orders: await callerIn(context).ask("searchPurchases", { query }) };
}

export default function ManageOrderPage({ loaderData }: Route.ComponentProps) {
  const address = useListParams();
  const { orders, ship, withdraw, shipping } = useOrders(loaderData.orders, address.get("q"));
  const [toCancel, setToCancel] = useState<Purchase | null>(null);
  const counts = orders.data?.counts;

  return (
    <>
      <PageHead
        title={labels.menu.manageOrders}
        fact={<Waiting paid={orders.data?.toShip} />}
        action={
          <div className="acts">
            <ExportLink path="/admin/orders/export.csv" query={searchIn(address)} />
            <ButtonLink icon="list" to="/dashboard/pick-list">
              Pick list
            </ButtonLink>
          </div>
        }
      />
      <div className="listbar">
        <ListSearch address={address} label="Search orders" placeholder="Buyer, tool or any id" />
        <SortSelect sorts={sortsOf(statusOf(address))} address={address} />
      </div>
      <StatusTabs address={address} counts={counts} />
      <ListTable
        loaded={orders}
        address={address}
        rows={(data) => data.orders}
        total={(data) => data.counts[statusOf(address) ?? "all"]}
        noun="orders"
        caption="Orders"
        className="tbl--orders"
        rowKey={(order) => order._id}
        columns={orderColumns({ ship, shipping, onCancel: setToCancel })}
        empty={<NoOrders address={address} />}
      />
      <CancelOrderDialog order={toCancel} onClose={() => setToCancel(null)} onCancelled={withdraw} />
    </>
  );
}

function Waiting({ paid }: { paid: number | undefined }) {
  if (paid === undefined) return <>Ship paid orders and cancel unpaid ones.</>;
  if (paid === 0) return <>No paid orders are awaiting shipment.</>;
  return <>{paid === 1 ? "1 paid order is" : `${count(paid)} paid orders are`} awaiting shipment.</>;
}

function StatusTabs({
  address,
  counts,
}: {
  address: ListParams;
  counts: Record<"all" | (typeof statuses)[number], number> | undefined;
}) {
  const names = {
    unpaid: labels.orders.unpaid,
    paid: "Paid, to ship",
    shipped: labels.orders.shipped,
    refunded: labels.orders.refunded,
  };
  const current = statusOf(address);
  // most stores never see one
  const shown = statuses.filter((one) => one !== "refunded" || current === one || counts?.refunded);
  return (
    <Tabs
      label="Status"
      items={[
        { to: address.to({ status: undefined }), label: "All", count: counts?.all, current: !current },
        ...shown.map((status) => ({
          to: address.to({ status }),
          label: names[status],
          count: counts?.[status],
          current: current === status,
        })),
      ]}
    />
  );
}

function NoOrders({ address }: { address: ListParams }) {
  const filtered = address.get("q") || address.get("status") || address.get("cursor");
  if (!filtered) return <EmptyState title="No orders yet">Orders appear here.</EmptyState>;
  return (
    <EmptyState
      title="No matching orders"
      action={
        <Button onClick={() => address.set({ q: undefined, status: undefined, sort: undefined })}>
          Show all orders
        </Button>
      }
    >
      Search for a buyer, an email, a tool, an item number, or the number of an order, a PO, a shipment or a
      transaction.
    </EmptyState>
  );
}
