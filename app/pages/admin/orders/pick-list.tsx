import { Link } from "react-router";
import type { Output } from "../../../../api/contract.ts";
import { Breadcrumbs } from "../../../components/breadcrumbs.tsx";
import { Button } from "../../../components/button.tsx";
import { count, counted } from "../../../components/format.ts";
import { Notice } from "../../../components/notice.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { type Column, Lead, Table } from "../../../components/table.tsx";
import { useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { useOrderList } from "../../orders/order-list.ts";
import "../../../styles/pick-list.css";
import { ExportLink } from "../export-link.tsx";
import type { Route } from "./+types/pick-list.ts";

type PickedProduct = Output<"pickList">["products"][number];

export const meta = () => pageTitle("Pick list");

export async function loader({ context, url }: Route.LoaderArgs) {
  const query = { orders: queryOf(url).get("orders") };
  return { list: await callerIn(context).call("pickList", { query }) };
}

/** The products to pick in the warehouse, each once, with its orders. */
export default function PickListPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaderResult(loaderData.list);
  const orders = useListParams().get("orders");
  const list = loaded.data;
  const numbers = orders?.split(",") ?? [];
  return (
    <>
      <Breadcrumbs items={[useOrderList(), { label: "Pick list" }]} />
      <PageHead
        title={numbers.length > 0 ? `Pick list, order ${numbers.join(", ")}` : "Pick list"}
        fact={list && totalsFact(list)}
        action={
          list &&
          list.products.length > 0 && (
            <div className="acts no-print">
              <ExportLink path="/pick-list/export.csv" query={{ orders }} />
              <Button onClick={() => window.print()}>Print</Button>
            </div>
          )
        }
      />
      <QueryBoundary loaded={loaded} failed="The pick list could not be loaded.">
        {({ products, isComplete }) => (
          <>
            {!isComplete && (
              <Notice kind="warn">
                There is more to ship than one list holds. These are the 5,000 lines that were paid first.
              </Notice>
            )}
            <div className="panel">
              {products.length === 0 ? (
                <EmptyState title="Nothing to pick" drawing={false}>
                  No paid pieces are waiting to be shipped.
                </EmptyState>
              ) : (
                <Table
                  className="tbl--picks"
                  caption="Tools to pick"
                  columns={columns}
                  rows={products}
                  rowKey={({ productId }) => productId}
                />
              )}
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

const columns: Column<PickedProduct>[] = [
  {
    heading: "Tool",
    kind: "lead",
    cell: ({ picture, productName, itemNumber }) => (
      <Lead picture={picture} name={productName} note={itemNumber} />
    ),
  },
  { heading: "Pick", kind: "strong", cell: ({ pieces }) => count(pieces) },
  {
    heading: "For",
    wide: true,
    cell: ({ picks }) => (
      <ul className="picks">
        {picks.map(({ orderId, number, buyer, pieces, disputed }) => (
          <li key={orderId}>
            <b>{count(pieces)}</b>
            <span>
              <Link className="link" to={`/dashboard/order/${orderId}`} aria-label={`Order ${number}`}>
                {number}
              </Link>
              {`, ${buyer}`}
              {disputed && <span className="is-late">, payment disputed</span>}
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  { heading: "Picked", hiddenOnPhone: true, cell: () => <span className="picked" aria-hidden="true" /> },
];

function totalsFact({ products, orders, pieces }: Output<"pickList">): string {
  if (products.length === 0) return "Paid orders that are not shipped appear here.";
  return `${counted(pieces, "piece")} of ${counted(products.length, "tool")} for ${counted(orders, "order")}.`;
}
