import { data, Link, useNavigate } from "react-router";
import type { StockLedger, StockMovement } from "../../../../api/stock-calls.ts";
import { Breadcrumbs } from "../../../components/breadcrumbs.tsx";
import { ButtonLink } from "../../../components/button.tsx";
import { ColumnChart } from "../../../components/chart/column-chart.tsx";
import { ShowData } from "../../../components/chart/show-data.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { formatCalendarDayMonth } from "../../../components/dates.ts";
import { count } from "../../../components/format.ts";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Pager } from "../../../components/pager.tsx";
import { Panel } from "../../../components/panel.tsx";
import { NotFoundPanel, QueryBoundary } from "../../../components/query-boundary.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { useNow, useTimeZone } from "../../../data/time-zone.ts";
import { useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import "../../../styles/overview.css";
import "../../../styles/stock.css";
import { ExportLink } from "../export-link.tsx";
import { Figure } from "../reports/figure.tsx";
import { signedCount } from "../signed-count.ts";
import type { Route } from "./+types/product-stock.ts";
import { ChangeStockForm } from "./change-stock-form.tsx";

export const meta = () => pageTitle("Stock of a tool");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const caller = callerIn(context);
  const query = { cursor: queryOf(url).get("cursor"), zone: caller.zone };
  const ledger = await caller.call("findStock", { params: { id: params.id }, query });
  return data({ ledger }, ledger.ok ? 200 : ledger.status);
}

/** The stock of one product: every movement, the last 90 days, and the form that changes it. */
export default function ProductStockPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaderResult(loaderData.ledger);
  const params = useListParams();
  const navigate = useNavigate();
  return (
    <QueryBoundary
      loaded={loaded}
      failed="The stock of this tool could not be loaded."
      refused={(reason) => (
        <>
          <PageHead title="Stock of a tool" />
          <NotFoundPanel
            title="Nothing to show here"
            back={{ label: "Back to Stock", to: "/dashboard/stock" }}
            reason={reason}
          />
        </>
      )}
    >
      {(product) => (
        <>
          <Breadcrumbs items={[{ label: "Stock", to: "/dashboard/stock" }, { label: product.name }]} />
          <PageHead
            title={product.name}
            fact={[product.itemNumber, product.archived && "archived", "stock and ledger"]
              .filter(Boolean)
              .join(", ")}
            action={
              <div className="acts">
                <ExportLink path={`/admin/products/${product._id}/stock/export.csv`} />
                {!product.archived && (
                  <ButtonLink to={`/dashboard/editProduct/${product._id}`}>Edit tool</ButtonLink>
                )}
              </div>
            }
          />
          <div className="stockpage">
            <div className="stockpage__main">
              <StockFigures product={product} />
              {product.days.length > 1 && <StockChart days={product.days} />}
              <Panel flush title="Ledger">
                <Table
                  className="tbl--ledger"
                  caption="Movements, newest first"
                  columns={columns}
                  rows={product.movements}
                  rowKey={({ _id }) => _id}
                />
              </Panel>
              <Pager
                previous={params.get("cursor") && params.to({})}
                previousLabel="Newest"
                next={product.next && params.to({ cursor: product.next })}
              />
            </div>
            {product.archived ? (
              <ArchivedTool product={product} />
            ) : (
              <ChangeStockForm
                key={product._id}
                product={product}
                onChanged={() => {
                  if (params.get("cursor")) navigate(params.to({}), { preventScrollReset: true });
                  loaded.reload();
                }}
              />
            )}
          </div>
        </>
      )}
    </QueryBoundary>
  );
}

/** In place of the form: only stock of tools on sale is received, counted or corrected. */
function ArchivedTool({ product: { name, itemNumber } }: { product: StockLedger }) {
  const search = new URLSearchParams({ archived: "only", q: itemNumber ?? name });
  return (
    <Panel title="Archived">
      <p>
        This tool is no longer sold, so its stock cannot be changed. Put it back on sale to receive, count or
        correct it.
      </p>
      <ButtonLink to={`/dashboard/manageProduct?${search}`}>Find it in Manage Products</ButtonLink>
    </Panel>
  );
}

function StockFigures({ product }: { product: StockLedger }) {
  return (
    <dl className="kpis">
      <Figure label="In stock" value={count(product.quantity)}>
        {stockNote(product)}
      </Figure>
      <Figure label="Promised" value={count(product.promised)}>
        to unpaid orders, not part of the stock
      </Figure>
      <Figure label="Reorder at" value={product.reorderPoint > 0 ? count(product.reorderPoint) : "none"}>
        set in the list of Stock
      </Figure>
    </dl>
  );
}

function stockNote({ archived, quantity, reorderPoint }: StockLedger) {
  if (archived) return "not sold";
  if (quantity < reorderPoint) return <span className="down">below the reorder point</span>;
  return "free to order";
}

function StockChart({ days }: { days: StockLedger["days"] }) {
  const highest = Math.max(...days.map(({ quantity }) => quantity));
  const today = isoDayIn(useTimeZone()).format(useNow());
  return (
    <section className="chart chart--stock" aria-labelledby="stock-by-day">
      <div className="chart__hd">
        <h2 className="t-h3" id="stock-by-day">
          Stock by day
        </h2>
        <span className="t-label">days with movements, last 90 days</span>
      </div>
      <ColumnChart
        summary={`Stock at the end of ${days.length} days, at most ${count(highest)}. Arrow keys go from day to day.`}
        axis={count}
        columns={days.map(({ day, quantity }) => ({
          tick: formatCalendarDayMonth(day),
          value: quantity,
          title: count(quantity),
          detail: formatCalendarDayMonth(day),
          unfinished: day === today,
        }))}
      />
      <ShowData
        caption="Stock by day"
        headings={["Day", "Stock"]}
        rows={days.map(({ day, quantity }) => [formatCalendarDayMonth(day), count(quantity)])}
      />
    </section>
  );
}

/** "2026-11-27" */
const isoDayIn = (timeZone: string) => new Intl.DateTimeFormat("sv", { timeZone });

const kindLabels: Record<StockMovement["kind"], string> = {
  received: "Delivery",
  counted: "Count",
  corrected: "Correction",
  sold: "Order",
  cancelled: "Order cancelled",
  returned: "Return",
};

const columns: Column<StockMovement>[] = [
  { heading: "When", kind: "lead", cell: ({ at }) => <DateTime at={at} time /> },
  { heading: "Entry", cell: ({ kind }) => kindLabels[kind] },
  {
    heading: "Change",
    kind: "figure",
    cell: ({ pieces }) => <span className={pieces > 0 ? "is-in" : undefined}>{signedCount(pieces)}</span>,
  },
  { heading: "Stock after", kind: "figure", cell: ({ quantity }) => count(quantity) },
  {
    heading: "Reason",
    wide: true,
    cell: ({ reason, by, orderNumber }) => (
      <>
        {orderNumber ? (
          <Link className="link" to={`/dashboard/order/${orderNumber}`}>
            Order {orderNumber}
          </Link>
        ) : (
          reason
        )}
        {by && <small className="cell-2">{by}</small>}
      </>
    ),
  },
];
