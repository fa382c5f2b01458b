/** How days and moments are printed everywhere: "Nov 16, 2026". For pages that only the browser renders: its zone counts. */

const day = { day: "numeric", month: "short", year: "numeric" } as const;
const utc = { timeZone: "UTC" } as const;

const localDay = new Intl.DateTimeFormat("en-US", day);
const localMoment = new Intl.DateTimeFormat("en-US", { ...day, hour: "numeric", minute: "2-digit" });
const exactly = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long" });
const plainDay = new Intl.DateTimeFormat("en-US", { ...day, ...utc });
const plainDayMonth = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", ...utc });
const plainMonth = new Intl.DateTimeFormat("en-US", { month: "short", ...utc });
const plainMonthYear = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", ...utc });

/** The local day of an instant: "Nov 16, 2026". */
export const dayOf = (at: Date) => localDay.format(at);

/** The local day and time of an instant: "Nov 16, 2026, 5:04 PM". */
export const momentOf = (at: Date) => localMoment.format(at);

/** All that is known of an instant, for those who point at it: its weekday, seconds and zone too. */
export const exactMomentOf = (at: Date) => exactly.format(at);

/** A calendar day as YYYY-MM-DD, which is no instant and has no zone. */
const calendar = (printed: Intl.DateTimeFormat) => (date: string) =>
  printed.format(new Date(`${date}T00:00:00Z`));

/** "2026-11-16" as "Nov 16, 2026" */
export const dayOfDate = calendar(plainDay);
/** "2026-11-16" as "Nov 16" */
export const dayMonthOfDate = calendar(plainDayMonth);
/** "2026-11-16" as "Nov" */
export const monthOfDate = calendar(plainMonth);
/** "2026-11-16" as "Nov 2026" */
export const monthYearOfDate = calendar(plainMonthYear);
