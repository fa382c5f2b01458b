import { Link } from "react-router";
import type { Overview } from "../../../../api/overview.ts";
import { count, numberFormat } from "../../../components/format.ts";
import { DELIVERY_HOURS } from "../orders/delivery-sla.ts";
import { Figure } from "./figure.tsx";
import { wholeDollars } from "./revenue-chart.tsx";

export function KeyFigures({ data }: { data: Overview }) {
  return (
    <dl className="kpis">
      <Figure label="Paid this week" value={wholeDollars(data.paidThisWeek)}>
        <Change current={data.paidThisWeek} previous={data.paidLastWeekByNow} />
      </Figure>
      <Figure label="Orders to ship" value={count(data.toShip)}>
        {data.late > 0 ? (
          <Link className="link" to="/dashboard/manageOrder?status=paid&sort=waiting">
            <span className="down">{count(data.late)} past</span> {DELIVERY_HOURS.to} hours
          </Link>
        ) : (
          `none past ${DELIVERY_HOURS.to} hours`
        )}
      </Figure>
      <Figure label="Unpaid orders" value={count(data.unpaidOrders)}>
        {wholeDollars(data.outstanding)} outstanding
      </Figure>
      <Figure
        label="Median time to ship"
        value={data.medianHoursToShip === undefined ? "none yet" : `${count(data.medianHoursToShip)} h`}
      >
        promise is {DELIVERY_HOURS.from} to {DELIVERY_HOURS.to} h
      </Figure>
    </dl>
  );
}

const percent = numberFormat({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Compared with last week until the same time, so that a Monday is not compared with seven days. */
function Change({ current, previous }: { current: number; previous: number }) {
  if (previous === 0) return <>nothing by this hour last week</>;
  const change = (current - previous) / previous;
  const text = `${change < 0 ? "\u2212" : "+"}${percent(Math.abs(change))}`;
  return (
    <>
      <span className={change < 0 ? "down" : "up"}>{text}</span> on last week by this hour
    </>
  );
}
