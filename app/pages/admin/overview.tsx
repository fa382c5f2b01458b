import type { Overview } from "../../../api/overview.ts";
import { pageTitle } from "../../page-title.ts";
import { CallFrame } from "../../ui/call-frame.tsx";
import { dayOfDate } from "../../ui/dates.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { useAddress } from "../../use-address.ts";
import { useCall } from "../../use-call.ts";
import { KeyFigures } from "./overview/key-figures.tsx";
import { OrdersByStatus } from "./overview/orders-by-status.tsx";
import { PiecesSold } from "./overview/pieces-sold.tsx";
import { RevenueChart } from "./overview/revenue-chart.tsx";
import { ShippingClock } from "./overview/shipping-clock.tsx";
import { Trouble } from "./overview/trouble.tsx";

export const meta = () => pageTitle("Overview");

const periods = [
  ["days", "Days"],
  ["weeks", "Weeks"],
  ["months", "Months"],
] as const;

/** How the store does, from its own rows. */
export default function OverviewPage() {
  const address = useAddress();
  const chosen = periods.find(([name]) => name === address.get("period"))?.[0];
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const called = useCall("overview", { query: { period: chosen, zone } });
  const { data, loading, reload } = called;
  // the store answers by the period that fits its age, unless one is chosen
  const period = chosen ?? data?.period;

  return (
    <>
      <PageHead
        title="Overview"
        fact={data ? `Week of ${dayOfDate(data.monday)}` : "This week and before"}
        action={
          <Segments
            label="Period"
            items={periods}
            value={period}
            onChoose={(next) => address.set({ period: next }, { replace: true })}
          />
        }
      />
      <CallFrame called={called} waiting={<OverviewSkeleton />}>
        {(shown) => <Figures data={shown} loading={loading} onChange={reload} />}
      </CallFrame>
    </>
  );
}

interface FiguresProps {
  data: Overview;
  loading: boolean;
  onChange: () => void;
}

function Figures({ data, loading, onChange }: FiguresProps) {
  return (
    <div className={loading ? "listed is-stale" : "listed"} aria-busy={loading}>
      <Trouble trouble={data.trouble} />
      <KeyFigures data={data} />
      <div className="ov">
        <RevenueChart points={data.revenue} period={data.period} />
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
