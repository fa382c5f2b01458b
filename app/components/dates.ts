import { cachedFormat } from "./locale.ts";

/** With Latin digits and Gregorian years in every locale. */
function dateFormat(options: Intl.DateTimeFormatOptions): (at: Date, zone: string) => string {
  const latin = { numberingSystem: "latn", calendar: "gregory" };
  const format = cachedFormat(
    (locale, timeZone) => new Intl.DateTimeFormat(locale, { ...options, ...latin, timeZone }),
  );
  return (at, zone) => format(zone).format(at);
}

const day = { day: "numeric", month: "short", year: "numeric" } as const;

export const formatDay = dateFormat(day);

const time = { hour: "numeric", minute: "2-digit" } as const;

export const formatTime = dateFormat(time);

export const formatDateTime = dateFormat({ ...day, ...time });

/** The full time for tooltips, with weekday, seconds and zone. */
export const formatExactDateTime = dateFormat({ dateStyle: "full", timeStyle: "long" });

/** A calendar day as YYYY-MM-DD, without time zone. */
function calendar(options: Intl.DateTimeFormatOptions): (date: string) => string {
  const format = dateFormat(options);
  return (date) => format(new Date(`${date}T00:00:00Z`), "UTC");
}

export const formatCalendarDay = calendar(day);
export const formatCalendarDayMonth = calendar({ day: "numeric", month: "short" });
export const formatCalendarMonth = calendar({ month: "short" });
export const formatCalendarMonthYear = calendar({ month: "short", year: "numeric" });
