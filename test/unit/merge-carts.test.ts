import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChanges } from "../../app/data/merge-carts.ts";
import { mergeLines } from "../../shop/cart/cart.ts";

const cart = fc.uniqueArray(
  fc.record({
    productId: fc.constantFrom("a", "b", "c", "d", "e"),
    quantity: fc.integer({ min: 1, max: 3 }),
  }),
  { selector: ({ productId }) => productId },
);

describe("a change of this device, applied to the cart of the account", () => {
  test("is the result if the account's cart did not change", () => {
    fc.assert(
      fc.property(cart, cart, (base, mine) => {
        expect(applyChanges(base, mine, base)).toEqual(mine);
      }),
    );
  });

  test("is empty if this device did not change", () => {
    fc.assert(
      fc.property(cart, cart, (base, theirs) => {
        expect(applyChanges(base, base, theirs)).toEqual(theirs);
      }),
    );
  });

  test("keeps every changed line, and no product twice", () => {
    fc.assert(
      fc.property(cart, cart, cart, (base, mine, theirs) => {
        const merged = applyChanges(base, mine, theirs);
        const ids = merged.map(({ productId }) => productId);
        expect(new Set(ids).size).toBe(ids.length);
        const quantityIn = (lines: readonly { productId: string; quantity: number }[], id: string) =>
          lines.find(({ productId }) => productId === id)?.quantity;
        for (const id of ["a", "b", "c", "d", "e"]) {
          const [before, here, there] = [base, mine, theirs].map((lines) => quantityIn(lines, id));
          const expected = here === before ? there : (here ?? (there === before ? undefined : there));
          expect(quantityIn(merged, id)).toBe(expected);
        }
      }),
    );
  });
});

test("merging at sign-in keeps the larger quantity and reports what grew", () => {
  fc.assert(
    fc.property(cart, cart, (present, added) => {
      const { lines, raised } = mergeLines(present, added);
      const quantityIn = (all: typeof lines, id: string) =>
        all.find(({ productId }) => productId === id)?.quantity ?? 0;
      for (const id of ["a", "b", "c", "d", "e"])
        expect(quantityIn(lines, id)).toBe(Math.max(quantityIn(present, id), quantityIn(added, id)));
      for (const { productId, from, to } of raised)
        expect([from, to]).toEqual([quantityIn(present, productId), quantityIn(added, productId)]);
    }),
  );
});
