import type { Overview } from "../../../api/overview.ts";
import { pageTitle } from "../../page-title.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Segments } from "../../ui/segments.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { useAddress } from "../../use-address.ts";
import { useCall } from "../../use-call.ts";
import { KeyFigures } from "./overview/key-figures.tsx";
import { OrdersByStatus } from "./overview/orders-by-status.tsx";
import { PiecesSold } from "./overview/pieces-sold.tsx";
import { RevenueChart } from "./overview/revenue-chart.tsx";
import { ShippingClock } from "./overview/shipping-clock.tsx";
import { longDay, type Period } from "./overview/wording.ts";

export const meta = () => pageTitle("Overview");

const periods = [
  ["days", "30 days"],
  ["weeks", "12 weeks"],
  ["months", "12 months"],
] as const;

/** How the store does, from its own rows. */
export default function OverviewPage() {
  const address = useAddress();
  const period: Period = periods.find(([name]) => name === address.get("period"))?.[0] ?? "weeks";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { data, failure, loading, reload } = useCall("overview", { query: { period, zone } });

  return (
    <>
      <PageHead
        title="Overview"
        fact={data ? `Week of ${longDay(data.monday)}` : "This week and before"}
        action={
          <Segments
            label="Period"
            items={periods}
            value={period}
            onChoose={(next) =>
              address.set({ period: next === "weeks" ? undefined : next }, { replace: true })
            }
          />
        }
      />
      {failure && <ErrorState onRetry={reload}>{failure.detail}</ErrorState>}
      {!data && !failure && <OverviewSkeleton />}
      {data && !failure && <Figures data={data} period={period} loading={loading} onChange={reload} />}
    </>
  );
}

interface FiguresProps {
  data: Overview;
  period: Period;
  loading: boolean;
  onChange: () => void;
}

function Figures({ data, period, loading, onChange }: FiguresProps) {
  return (
    <div className={loading ? "listed is-stale" : "listed"} aria-busy={loading}>
      <KeyFigures data={data} />
      <div className="ov">
        <RevenueChart points={data.revenue} period={period} />
        <OrdersByStatus data={data} />
        <ShippingClock waiting={data.waiting} toShip={data.toShip} onShipped={onChange} />
        <PiecesSold sold={data.sold} />
      </div>
    </div>
  );
}

function OverviewSkeleton() {
  return (
    <div role="status">
      <span className="vh">Loading the overview</span>
      <div className="kpis">
        {["a", "b", "c", "d"].map((key) => (
          <div className="kpi" key={key}>
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="my-1 h-8 w-3/5" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        ))}
      </div>
      <div className="ov">
        <Skeleton className="w8 ov__sk" />
        <Skeleton className="w4 ov__sk" />
      </div>
    </div>
  );
}
