/** The locale of the page's figures and dates (decision 0074). */

let locale = "en-US";

/** The root of each rendering calls it, before anything is printed: rendering on the server is synchronous. */
export function printIn(next = "en-US"): void {
  locale = next;
}

/** Keeps the last format of a page's locale and time zone, since creating one is slow. */
export function lastFormat<Format>(create: (locale: string, zone: string) => Format) {
  let key: string;
  let format: Format;
  return (zone = ""): Format => {
    if (key !== locale + zone) format = create(locale, zone);
    key = locale + zone;
    return format;
  };
}
