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

export const formatDay = inZone(day);

export const formatDateTime = inZone({ ...day, hour: "numeric", minute: "2-digit" });

/** The full time for tooltips, with weekday, seconds and zone. */
export const formatExactDateTime = inZone({ dateStyle: "full", timeStyle: "long" });

/** A calendar day as YYYY-MM-DD, without time zone. */
const calendar = (printed: Intl.DateTimeFormat) => (date: string) =>
  printed.format(new Date(`${date}T00:00:00Z`));

export const formatCalendarDay = calendar(plainDay);
export const formatCalendarDayMonth = calendar(plainDayMonth);
export const formatCalendarMonth = calendar(plainMonth);
export const formatCalendarMonthYear = calendar(plainMonthYear);
