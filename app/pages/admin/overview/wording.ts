/** How the overview names its days and amounts. Days arrive as YYYY-MM-DD and are no instants. */
export type Period = "days" | "weeks" | "months";

const utc = { timeZone: "UTC" } as const;
const long = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", ...utc });
const month = new Intl.DateTimeFormat("en-US", { month: "short", ...utc });
const monthYear = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", ...utc });
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

const dayMonth = (day: string) => `${Number(day.slice(8))} ${month.format(dateOf(day))}`;
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** "17 November 2026" */
export function longDay(day: string): string {
  return long.format(dateOf(day));
}

/** A mark of the axis: the month stands where it changes, "27", "3 Nov", "10". */
export function tickOf(day: string, before: string | undefined, period: Period): string {
  if (period === "months") return month.format(dateOf(day));
  const sameMonth = before?.slice(0, 7) === day.slice(0, 7);
  return sameMonth ? String(Number(day.slice(8))) : dayMonth(day);
}

/** One slot in words: "27 Oct" or "October 2026"; weeks are named by their Monday. */
export function slotName(day: string, period: Period): string {
  return period === "months" ? monthYear.format(dateOf(day)) : dayMonth(day);
}

/** Whole dollars, for large figures: "$184,260". */
export function wholeDollars(amount: number): string {
  return round.format(amount);
}

/** "$50K" */
export function shortDollars(amount: number): string {
  return amount === 0 ? "0" : compact.format(amount);
}
