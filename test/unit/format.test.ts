/** How a description is cut for a card: its first 150 characters and an ellipsis. */
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

test("a sign that takes two units of memory counts once and is never halved", () => {
  expect(excerpt("🔧".repeat(151))).toBe(`${"🔧".repeat(150)}...`);
});

test("what stands before the ellipsis is how the description begins", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 140, maxLength: 400 }), (description) => {
      const shown = excerpt(description);
      expect(description.startsWith(shown.replace(/\.\.\.$/, ""))).toBe(true);
      expect(Array.from(shown).length).toBeLessThanOrEqual(153);
    }),
  );
});
