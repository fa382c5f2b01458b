/** The locale of the page's figures and dates (decision 0074). */

export const DEFAULT_LOCALE = "en-US";

const shownPage = { locale: DEFAULT_LOCALE };

let currentPage = () => shownPage;

/** On the server many pages are rendered at once, so `app/entry.server.tsx` keeps the locale of each. */
export function setCurrentPage(find: () => { locale: string } | undefined): void {
  currentPage = () => find() ?? shownPage;
}

/** The root of each rendering calls it before anything is printed. */
export function setPageLocale(locale = DEFAULT_LOCALE): void {
  currentPage().locale = locale;
}

/** Keeps the last format of a page's locale and time zone, since creating one is slow. */
export function cachedFormat<Format>(create: (locale: string, zone: string) => Format) {
  let key: string;
  let format: Format;
  return (zone = ""): Format => {
    const { locale } = currentPage();
    const next = locale + zone;
    if (key !== next) format = create(locale, zone);
    key = next;
    return format;
  };
}
