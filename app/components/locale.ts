/** The locale of the page's figures and dates (decision 0074). */

const page = { locale: "en-US" };

let current = () => page;

/** On the server many pages are rendered at once, so `app/entry.server.tsx` keeps the locale of each. */
export function findPageWith(find: () => typeof page | undefined): void {
  current = () => find() ?? page;
}

/** The root of each rendering calls it before anything is printed. */
export function printIn(locale = "en-US"): void {
  current().locale = locale;
}

/** Keeps the last format of a page's locale and time zone, since creating one is slow. */
export function lastFormat<Format>(create: (locale: string, zone: string) => Format) {
  let key: string;
  let format: Format;
  return (zone = ""): Format => {
    const { locale } = current();
    if (key !== locale + zone) format = create(locale, zone);
    key = locale + zone;
    return format;
  };
}
