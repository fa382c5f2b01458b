/** Labels for days and amounts of the overview. Days are YYYY-MM-DD without time zone. */
import {
  formatCalendarDay,
  formatCalendarDayMonth,
  formatCalendarMonth,
  formatCalendarMonthYear,
} from "../../../components/dates.ts";
import { numberFormat } from "../../../components/format.ts";

export type Period = "days" | "weeks" | "months";

const currency = { style: "currency", currency: "USD" } as const;
const compact = numberFormat({ ...currency, notation: "compact", maximumFractionDigits: 1 });

/** An axis label, with the month where it changes: "27", "Nov 3", "10". */
export function tickOf(day: string, before: string | undefined, period: Period): string {
  if (period === "months") return formatCalendarMonth(day);
  const sameMonth = before?.slice(0, 7) === day.slice(0, 7);
  return sameMonth ? String(Number(day.slice(8))) : formatCalendarDayMonth(day);
}

/** "Oct 27, 2026" or "Oct 2026"; weeks are named by their Monday. */
export function slotName(day: string, period: Period): string {
  return period === "months" ? formatCalendarMonthYear(day) : formatCalendarDay(day);
}

/** Whole dollars, for large figures: "$184,260". */
export const wholeDollars = numberFormat({ ...currency, maximumFractionDigits: 0 });

export function shortDollars(amount: number): string {
  return amount === 0 ? "0" : compact(amount);
}
