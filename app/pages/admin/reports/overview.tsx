import { formatCalendarDay, formatCalendarMonth } from "../../../components/dates.ts";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { SegmentedControl } from "../../../components/segmented-control.tsx";
import { type ListParams, useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { ExportLink } from "../export-link.tsx";
import type { Route } from "./+types/overview.ts";
import { KeyFigures } from "./key-figures.tsx";
import { OperationalAlerts } from "./operational-alerts.tsx";
import { OrdersByStatus } from "./orders-by-status.tsx";
import { PiecesSold } from "./pieces-sold.tsx";
import { RevenueChart } from "./revenue-chart.tsx";
import { ShippingClock } from "./shipping-clock.tsx";

export const meta = () => pageTitle("Overview");

const periods = [
  ["days", "Days"],
  ["weeks", "Weeks"],
  ["months", "Months"],
] as const;

export async function loader({ context, url }: Route.LoaderArgs) {
  const caller = callerIn(context);
  return {
    overview: await caller.call("overview", {
      query: { period: readPeriod(queryOf(url)), zone: caller.zone },
    }),
    lastMonth: lastMonthOf(new Date()),
  };
}

/** In UTC, as the dates of invoices are. */
function lastMonthOf(now: Date) {
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10);
  return { from: day(now.getUTCMonth() - 1, 1), to: day(now.getUTCMonth(), 0) };
}

function readPeriod({ get }: Pick<ListParams, "get">) {
  return periods.find(([name]) => name === get("period"))?.[0];
}

export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  const params = useListParams();
  const selected = readPeriod(params);
  const loaded = useLoaderResult(loaderData.overview);
  const { data, loading, reload } = loaded;
  const { lastMonth } = loaderData;
  // the store chooses the period by its age, unless one is selected
  const period = selected ?? data?.period;

  return (
    <>
      <PageHead
        title="Overview"
        fact={data ? `Week of ${formatCalendarDay(data.monday)}` : "This week and before"}
        action={
          <div className="acts">
            <ExportLink
              path="/admin/documents/export.csv"
              query={lastMonth}
              label={`Invoices of ${formatCalendarMonth(lastMonth.from)}, CSV`}
            />
            <SegmentedControl
              label="Period"
              items={periods}
              value={period}
              onChoose={(next) => params.set({ period: next }, { replace: true })}
            />
          </div>
        }
      />
      <QueryBoundary loaded={loaded}>
        {(overview) => (
          <div className={loading ? "listed is-stale" : "listed"} aria-busy={loading}>
            <OperationalAlerts alerts={overview.alerts} />
            <KeyFigures data={overview} />
            <div className="ov">
              <RevenueChart points={overview.revenue} period={overview.period} />
              <OrdersByStatus data={overview} />
              <ShippingClock waiting={overview.waiting} toShip={overview.toShip} onShipped={reload} />
              <PiecesSold sold={overview.sold} />
            </div>
          </div>
        )}
      </QueryBoundary>
    </>
  );
}
