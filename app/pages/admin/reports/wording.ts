/** How the overview names its days and amounts. Days arrive as YYYY-MM-DD and are no instants. */
import {
  formatCalendarDay,
  formatCalendarDayMonth,
  formatCalendarMonth,
  formatCalendarMonthYear,
} from "../../../components/dates.ts";

export type Period = "days" | "weeks" | "months";

const round = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const compact = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1,
});

/** A mark of the axis: with the month where it changes, "27", "Nov 3", "10". */
export function tickOf(day: string, before: string | undefined, period: Period): string {
  if (period === "months") return formatCalendarMonth(day);
  const sameMonth = before?.slice(0, 7) === day.slice(0, 7);
  return sameMonth ? String(Number(day.slice(8))) : formatCalendarDayMonth(day);
}

/** One slot in words: "Oct 27, 2026" or "Oct 2026"; weeks are named by their Monday. */
export function slotName(day: string, period: Period): string {
  return period === "months" ? formatCalendarMonthYear(day) : formatCalendarDay(day);
}

/** Whole dollars, for large figures: "$184,260". */
export function wholeDollars(amount: number): string {
  return round.format(amount);
}

/** "$50K" */
export function shortDollars(amount: number): string {
  return amount === 0 ? "0" : compact.format(amount);
}
