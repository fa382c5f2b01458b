/** The formats of dates and times: "Nov 16, 2026". */

const day = { day: "numeric", month: "short", year: "numeric" } as const;
const utc = { timeZone: "UTC" } as const;

const plainDay = new Intl.DateTimeFormat("en-US", { ...day, ...utc });
const plainDayMonth = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short", ...utc });
const plainMonth = new Intl.DateTimeFormat("en-US", { month: "short", ...utc });
const plainMonthYear = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", ...utc });

/** Creating a formatter is slow, so each time zone's is cached. */
function inZone(options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (at: Date, zone: string) => {
    const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
    formats.set(zone, format);
    return format.format(at);
  };
}

/** "Nov 16, 2026" */
export const formatDay = inZone(day);

/** "Nov 16, 2026, 5:04 PM" */
export const formatDateTime = inZone({ ...day, hour: "numeric", minute: "2-digit" });

/** The full time for tooltips, with weekday, seconds and zone. */
export const formatExactDateTime = inZone({ dateStyle: "full", timeStyle: "long" });

/** A calendar day as YYYY-MM-DD, without time zone. */
const calendar = (printed: Intl.DateTimeFormat) => (date: string) =>
  printed.format(new Date(`${date}T00:00:00Z`));

/** "2026-11-16" as "Nov 16, 2026" */
export const formatCalendarDay = calendar(plainDay);
/** "2026-11-16" as "Nov 16" */
export const formatCalendarDayMonth = calendar(plainDayMonth);
/** "2026-11-16" as "Nov" */
export const formatCalendarMonth = calendar(plainMonth);
/** "2026-11-16" as "Nov 2026" */
export const formatCalendarMonthYear = calendar(plainMonthYear);
