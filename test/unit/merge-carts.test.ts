import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChanges } from "../../app/data/merge-carts.ts";
import { type CartRow, joinRows, revertStep, splitRows } from "../../app/pages/cart/cart-rows.ts";
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

  test("removes a line whose price alone changed elsewhere, and keeps one whose quantity changed", () => {
    const line = { productId: "a", quantity: 1 };
    expect(applyChanges([line], [], [{ ...line, price: 5 }])).toEqual([]);
    expect(applyChanges([line], [], [{ ...line, quantity: 2 }])).toEqual([{ ...line, quantity: 2 }]);
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

test("each row has a key of its own, also if its product was added again while its quantity is invalid", () => {
  const typed = fc.constantFrom("a", "b", "a~").map((key): CartRow => ({ key, quantity: "12abc" }));
  const after = fc.constantFrom(null, "a", "b", "gone");
  fc.assert(
    fc.property(cart, fc.array(fc.record({ row: typed, after })), (lines, unresolved) => {
      const rows = joinRows(lines, unresolved);
      expect(rows).toHaveLength(lines.length + unresolved.length);
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      const split = splitRows(rows);
      expect(split.lines).toEqual(lines);
      expect(joinRows(split.lines, split.unresolved)).toEqual(rows);
    }),
  );
});

describe("undo of a change", () => {
  const quantityIn = (rows: readonly CartRow[], id: string) => rows.find(({ key }) => key === id)?.quantity;
  const rowsOf = cart.map((lines) => lines.map((line): CartRow => ({ key: line.productId, ...line })));
  const price = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });

  test("brings back the rows before it, in their order, whatever prices were updated", () => {
    fc.assert(
      fc.property(rowsOf, rowsOf, price, (before, after, updated) => {
        const now = after.map((row) => ({ ...row, price: updated }));
        const undone = revertStep({ before, after }, now, new Map());
        expect(undone.map(({ key, quantity }) => [key, quantity])).toEqual(
          before.map(({ key, quantity }) => [key, quantity]),
        );
        for (const row of undone) {
          const isChanged = quantityIn(after, row.key) !== row.quantity;
          expect(row.price).toBe(isChanged ? undefined : updated);
        }
      }),
    );
  });

  test("keeps what others changed meanwhile", () => {
    fc.assert(
      fc.property(rowsOf, rowsOf, rowsOf, (before, after, now) => {
        const undone = revertStep({ before, after }, now, new Map());
        for (const id of ["a", "b", "c", "d", "e"]) {
          const [was, left, present] = [before, after, now].map((rows) => quantityIn(rows, id));
          expect(quantityIn(undone, id)).toBe(present === left ? was : present);
        }
        const places = undone.map(({ key }) => before.findIndex((row) => row.key === key));
        const known = places.filter((place) => place >= 0);
        expect(known).toEqual(known.toSorted((one, other) => one - other));
      }),
    );
  });

  test("includes what the check made of its rows", () => {
    const typed: CartRow = { key: "typed", text: "A", quantity: "" };
    const a = (quantity: number): CartRow => ({ key: "a", productId: "a", quantity });
    const other: CartRow = { key: "b", productId: "b", quantity: 1 };
    const resolutions = new Map([["typed", { productId: "a", quantity: 12, isMerged: false }]]);
    const undo = (before: CartRow[], now: CartRow[]) =>
      revertStep({ before, after: [...before, typed] }, now, resolutions).map((row) => [
        row.key,
        row.quantity,
      ]);
    expect(undo([], [a(12), other])).toEqual([["b", 1]]);
    expect(undo([a(20)], [a(32), other])).toEqual([
      ["a", 20],
      ["b", 1],
    ]);
    expect(undo([], [a(24), other])).toEqual([
      ["a", 24],
      ["b", 1],
    ]);
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
