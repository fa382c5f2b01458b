import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Purchase } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { focusHeading } from "../../../components/focus-heading.ts";
import { counted } from "../../../components/format.ts";
import { KeyLegend } from "../../../components/key-legend.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { singleKeys } from "../../../components/remembered-choice.ts";
import { SearchField } from "../../../components/search-field.tsx";
import { ParamSelect } from "../../../components/select.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { toast } from "../../../components/toast.ts";
import { useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { CancelDialog } from "../../orders/cancel-dialog.tsx";
import { cancelBuyersPurchaseQuestion } from "../../orders/cancel-questions.ts";
import { ExportLink } from "../export-link.tsx";
import { ListTable, NoMatches } from "../list-table.tsx";
import { useRowSelection } from "../use-row-selection.ts";
import "../../../styles/orders-desk.css";
import type { Route } from "./+types/manage-order.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { BULK_SHIPPING, BulkShipping } from "./bulk-shipping.tsx";
import { OrderFilterChips, OrderFilters } from "./order-filters.tsx";
import { groupToShip, MAX_ORDERS } from "./order-groups.ts";
import { exportedColumns, purchaseColumns, readColumns } from "./purchase-columns.tsx";
import { SavedViews } from "./saved-views.tsx";
import { useOrderKeys } from "./use-order-keys.ts";
import {
  filterNames,
  type ListedPurchase,
  readSearch,
  readStatus,
  reloadPurchase,
  sortOptions,
  useOrders,
} from "./use-orders.ts";

export const meta = () => pageTitle("Manage All Orders");

/** Manage All Orders (specification, section 4): an admin ships paid orders and cancels unpaid ones. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { get } = queryOf(url);
  const caller = callerIn(context);
  const { zone } = caller;
  const query = { ...readSearch({ get }), zone, cursor: get("cursor") };
  const [orders, views] = await Promise.all([
    caller.call("searchPurchases", { query }),
    caller.call("listSavedViews", { query: { zone } }),
  ]);
  return { orders, views, zone };
}

export default function ManageOrderPage({ loaderData }: Route.ComponentProps) {
  const params = useListParams();
  const { zone } = loaderData;
  const hasSingleKeys = singleKeys.useValue() === "on";
  const { orders, ship, shippingId } = useOrders(loaderData.orders, { zone, ...readSearch(params) });
  const views = useLoaderResult(loaderData.views);
  const [toCancel, setToCancel] = useState<Purchase | null>(null);
  const [isFiltering, setIsFiltering] = useState(false);
  const filterButton = useRef<HTMLButtonElement>(null);
  const [bulkOrders, setBulkOrders] = useState<
    (ReturnType<typeof groupToShip> & { rows: ListedPurchase[] }) | null
  >(null);
  const selection = useRowSelection<ListedPurchase>(orders.data?.orders);
  const navigate = useNavigate();
  const { counts, orders: rows = [] } = orders.data ?? {};
  const latestToCancel = toCancel && (rows.find(({ _id }) => _id === toCancel._id) ?? toCancel);

  function openBulkShipping(selected: ListedPurchase[]) {
    const groups = groupToShip(selected);
    // the key S, since the bar has no button then
    if (groups.orders.length > MAX_ORDERS) toast.error(`Select at most ${MAX_ORDERS} orders.`);
    else if (groups.orders.length > 0) setBulkOrders({ ...groups, rows: selected });
  }

  /** The reloaded list may be without them. */
  async function reloadSelected(outdated: ListedPurchase[]) {
    const latest = await Promise.all(outdated.map(reloadPurchase));
    selection.update(latest);
    const { orders } = groupToShip(latest);
    setBulkOrders(
      (current) =>
        current && {
          ...current,
          orders: current.orders.map((one) => orders.find(({ orderId }) => orderId === one.orderId) ?? one),
        },
    );
  }

  useOrderKeys({
    open: (id) => void navigate(`/dashboard/order/${id}`),
    ship: (id) => {
      // what is typed there, or being shipped, stays
      if (bulkOrders) return document.getElementById(BULK_SHIPPING)?.focus();
      const row = rows.find(({ _id }) => _id === id);
      if (selection.rows.length > 0) openBulkShipping(selection.rows);
      else if (row) openBulkShipping([row]);
    },
  });

  return (
    <>
      <PageHead
        title={labels.menu.manageOrders}
        fact={shipmentFact(orders.data?.toShip)}
        action={
          <div className="acts">
            <ExportLink
              path="/admin/orders/export.csv"
              query={{
                ...readSearch(params),
                zone: params.get("from") || params.get("to") ? zone : undefined,
                columns: exportedColumns(params),
              }}
            />
            <ButtonLink icon="rows" to="/dashboard/pick-list">
              Pick list
            </ButtonLink>
          </div>
        }
      />
      {views.data && (
        <SavedViews
          views={views.data.views}
          countLimit={views.data.countLimit}
          params={params}
          zone={zone}
          onChange={(update) => views.change((data) => ({ ...data, views: update(data.views) }))}
        />
      )}
      <div className="listbar">
        <SearchField params={params} label="Search orders" placeholder="Buyer, tool or any id" />
        <div className="acts">
          <Button
            ref={filterButton}
            icon="filter"
            aria-expanded={isFiltering}
            onClick={() => setIsFiltering(!isFiltering)}
          >
            Filter
          </Button>
          <ParamSelect
            params={params}
            name="sort"
            aria-label="Sort"
            options={sortOptions(readStatus(params))}
          />
        </div>
      </div>
      {isFiltering && (
        <OrderFilters
          // not by the search or the order: either may change while a filter is being typed
          key={[...filterNames, "columns"].map(params.get).join("\n")}
          params={params}
          onClose={() => {
            setIsFiltering(false);
            filterButton.current?.focus();
          }}
        />
      )}
      <OrderFilterChips params={params} rows={rows} />
      <Tabs
        label="Status"
        params={params}
        name="status"
        items={[
          [undefined, "All", counts?.all],
          ["unpaid", labels.orders.unpaid, counts?.unpaid],
          ["paid", "Paid, to ship", counts?.paid],
          ["shipped", labels.orders.shipped, counts?.shipped],
          // most stores never see one
          ...(counts?.refunded || readStatus(params) === "refunded"
            ? [["refunded", labels.orders.refunded, counts?.refunded] as const]
            : []),
        ]}
        countLimit={orders.data?.countLimit}
      />
      <ListTable
        loaded={orders}
        params={params}
        rows={(data) => data.orders}
        total={counts?.[readStatus(params) ?? "all"]}
        noun="orders"
        caption="Orders"
        className="tbl--orders tbl--selectable"
        rowKey={(purchase) => purchase._id}
        columns={purchaseColumns(
          { ship, shippingId, onCancel: setToCancel },
          { selection, rows },
          readColumns(params),
        )}
        empty={
          <NoMatches
            params={params}
            filters={["q", "status", "sort", ...filterNames]}
            title="No matching orders"
            showAll="Show all orders"
            unfiltered={<EmptyState title="No orders yet">Orders appear here.</EmptyState>}
          >
            Search for a buyer, an email, a tool, an item number, or the number of an order, a PO, a shipment
            or a transaction.
          </NoMatches>
        }
      />
      {bulkOrders ? (
        <BulkShipping
          orders={bulkOrders.orders}
          leftOut={bulkOrders.leftOut}
          onShipped={(ids) => {
            selection.set(
              selection.rows.filter(({ _id }) => ids.includes(_id)),
              false,
            );
            orders.reload();
          }}
          onRefused={(ids) => {
            orders.reload();
            void reloadSelected(bulkOrders.rows.filter(({ _id }) => ids.includes(_id)));
          }}
          onUndone={orders.reload}
          onClose={() => {
            setBulkOrders(null);
            focusHeading();
          }}
        />
      ) : (
        <BulkBar selection={selection} onShip={() => openBulkShipping(selection.rows)} />
      )}
      <KeyLegend
        keys={
          hasSingleKeys
            ? [
                [["J", "K"], "next and previous row"],
                [["X"], "select"],
                [["Enter"], "open"],
                [["S"], "ship"],
              ]
            : [[["Enter"], "open"]]
        }
      />
      <CancelDialog
        question={latestToCancel && cancelBuyersPurchaseQuestion(latestToCancel)}
        onClose={() => setToCancel(null)}
        onCancelled={orders.reload}
        onRefused={orders.reload}
      />
    </>
  );
}

function shipmentFact(paid: number | undefined): string {
  if (paid === undefined) return "Ship paid orders and cancel unpaid ones.";
  if (paid === 0) return "No paid order lines are awaiting shipment.";
  return `${counted(paid, "paid order line")} ${paid === 1 ? "is" : "are"} awaiting shipment.`;
}
