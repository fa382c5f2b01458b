/** Figures and dates in the locale of a page (decision 0074). */
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { formatCalendarDay, formatDateTime } from "../../app/components/dates.ts";
import { count, dollars } from "../../app/components/format.ts";
import { setPageLocale } from "../../app/components/locale.ts";
import { localeIn } from "../../server/http/accept-language.ts";

afterEach(() => setPageLocale());

const EVENING = new Date("2026-10-31T19:05:00Z");

test.each([
  ["en-US", "$1,490.50", "12,000", "Oct 31, 2026", "Oct 31, 2026, 8:05 PM"],
  ["de-DE", "1.490,50 $", "12.000", "31. Okt. 2026", "31. Okt. 2026, 20:05"],
  ["fr-FR", "1 490,50 $US", "12 000", "31 oct. 2026", "31 oct. 2026, 20:05"],
])("%s", (locale, amount, pieces, day, time) => {
  setPageLocale(locale);
  const printed = [dollars(1490.5), count(12_000), formatCalendarDay("2026-10-31")];
  printed.push(formatDateTime(EVENING, "Europe/Berlin"));
  expect(printed.map((text) => text.replace(/\s/g, " "))).toEqual([amount, pieces, day, time]);
});

test.each(["ar-EG", "fa-IR", "th-TH", "mr-IN"])("%s has Latin digits and Gregorian years", (locale) => {
  setPageLocale(locale);
  const day = formatCalendarDay("2026-10-31");
  expect(day).toContain("2026");
  expect(dollars(1490.5) + count(1490) + day).not.toMatch(/(?![0-9])\p{Nd}/u);
});

test.each([
  ["de-DE,de;q=0.9,en;q=0.8", "de-DE"],
  ["en;q=0.5, fr-FR;q=0.9", "fr-FR"],
  ["tlh, de-AT", "de-AT"],
  ["de-DE;q=0, fr", "fr"],
  ["de-DE-u-nu-arab-ca-islamic", "de-DE"],
  ["de-DE-x-mine", "de-DE"],
  [undefined, "en-US"],
  ["", "en-US"],
  ["*", "en-US"],
  ["tlh", "en-US"],
  ["<script>, ../.., de_DE, c", "en-US"],
  [`${"a,".repeat(10_000)}de-DE`, "en-US"],
])("Accept-Language %s is %s", (header, locale) => {
  expect(localeIn(header)).toBe(locale);
});

test("every Accept-Language is a locale of the system that can print", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z0-9,;=.*_ -]{0,60}$/)), (header) => {
      const locale = localeIn(header);
      expect(Intl.NumberFormat.supportedLocalesOf(locale)).toEqual([locale]);
      setPageLocale(locale);
      expect(dollars(1)).toMatch(/1/);
    }),
  );
});
