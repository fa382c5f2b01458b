import type { Overview } from "../../../../api/overview.ts";
import { ColumnChart } from "../../../components/chart/column-chart.tsx";
import { ShowData } from "../../../components/chart/show-data.tsx";
import {
  formatCalendarDay,
  formatCalendarDayMonth,
  formatCalendarMonth,
  formatCalendarMonthYear,
} from "../../../components/dates.ts";
import { count, counted, dollars, numberFormat } from "../../../components/format.ts";

type Period = Overview["period"];

interface RevenueChartProps {
  points: Overview["revenue"];
  period: Period;
}

const units = { days: "day", weeks: "week", months: "month" } as const;

/** Revenue per day, week or month, compared with the previous year. */
export function RevenueChart({ points, period }: RevenueChartProps) {
  const unit = units[period];
  const last = points.length - 1;
  const compared = points.some((point) => point.yearBefore !== undefined);
  return (
    <section className="chart w8">
      <div className="chart__hd">
        <h2 className="t-h3">Revenue per {unit}</h2>
        {compared && (
          <span className="t-label chart__key">
            <svg viewBox="0 0 22 8" width="22" height="8" aria-hidden="true">
              <path className="column__ref" d="M0 4h22" />
            </svg>
            same {unit} last year
          </span>
        )}
      </div>
      {points.every(({ revenue, yearBefore = 0 }) => revenue + yearBefore === 0) ? (
        <p className="t-sm soft">
          No payments in these {units[period]}s. The chart appears with the first payment.
        </p>
      ) : (
        <ColumnChart
          key={period}
          summary={summaryText(points, unit)}
          axis={shortDollars}
          columns={points.map((point, index) => ({
            tick: tickLabel(point.start, points[index - 1]?.start, period),
            value: point.revenue,
            reference: point.yearBefore,
            title: wholeDollars(point.revenue),
            detail: `${periodLabel(point.start, period)}, ${counted(point.orders, "order")}${index === last ? " so far" : ""}`,
            unfinished: index === last,
          }))}
        />
      )}
      <ShowData
        caption={`Revenue per ${unit}`}
        headings={[unit[0]?.toUpperCase() + unit.slice(1), "Revenue", "Orders", "A year before"]}
        rows={points.map((point) => [
          periodLabel(point.start, period),
          dollars(point.revenue),
          count(point.orders),
          point.yearBefore === undefined ? "none" : dollars(point.yearBefore),
        ])}
      />
    </section>
  );
}

function summaryText(points: Overview["revenue"], unit: string): string {
  const best = points.reduce(
    (highest, point) => (point.revenue > highest.revenue ? point : highest),
    points[0] ?? { start: "", revenue: 0 },
  );
  const sum = points.reduce((total, point) => total + point.revenue, 0);
  return `Revenue per ${unit}, ${points.length} ${unit}s, ${wholeDollars(sum)} in all, at most ${wholeDollars(best.revenue)}. Arrow keys go from ${unit} to ${unit}.`;
}

const currency = { style: "currency", currency: "USD" } as const;
const compact = numberFormat({ ...currency, notation: "compact", maximumFractionDigits: 1 });

/** An axis label, with the month where it changes: "27", "Nov 3", "10". */
function tickLabel(day: string, previousDay: string | undefined, period: Period): string {
  if (period === "months") return formatCalendarMonth(day);
  const sameMonth = previousDay?.slice(0, 7) === day.slice(0, 7);
  return sameMonth ? String(Number(day.slice(8))) : formatCalendarDayMonth(day);
}

/** "Oct 27, 2026" or "Oct 2026"; weeks are named by their Monday. */
function periodLabel(day: string, period: Period): string {
  return period === "months" ? formatCalendarMonthYear(day) : formatCalendarDay(day);
}

/** Whole dollars, for large figures: "$184,260". */
export const wholeDollars = numberFormat({ ...currency, maximumFractionDigits: 0 });

function shortDollars(amount: number): string {
  return amount === 0 ? "0" : compact(amount);
}
