/** Excerpts for cards: the first 150 characters and an ellipsis. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { excerpt } from "../../app/components/format.ts";

test("151 characters are cut to 150 and an ellipsis, 150 stay whole", () => {
  expect(excerpt("a".repeat(151))).toBe(`${"a".repeat(150)}...`);
  expect(excerpt("a".repeat(150))).toBe("a".repeat(150));
  expect(excerpt("")).toBe("");
});

test("a space among the first 150 stays before the ellipsis, so that there are 150", () => {
  expect(excerpt(`${"a".repeat(149)} bcd`)).toBe(`${"a".repeat(149)} ...`);
});

test("a character of two UTF-16 units counts once and is never split", () => {
  expect(excerpt("🔧".repeat(151))).toBe(`${"🔧".repeat(150)}...`);
});

test("the text before the ellipsis is the beginning of the description", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 140, maxLength: 400 }), (description) => {
      const shown = excerpt(description);
      expect(description.startsWith(shown.replace(/\.\.\.$/, ""))).toBe(true);
      expect(Array.from(shown).length).toBeLessThanOrEqual(153);
    }),
  );
});
