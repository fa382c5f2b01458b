/** Bitmaps compared with JavaScript's sets. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Bitmap,
  bitsOf,
  forEachBit,
  intersection,
  readBlock,
  setBit,
  union,
  without,
  writeBits,
} from "../../shop/catalogue/index/bitmap.ts";

const BLOCK = 32_768;
// dense, so that sets overlap, on both sides of two block borders
const place = fc.oneof(
  fc.integer({ min: 0, max: 70 }),
  fc.integer({ min: BLOCK - 3, max: BLOCK + 3 }),
  fc.integer({ min: 4 * BLOCK - 3, max: 4 * BLOCK + 40 }),
);
const places = fc.uniqueArray(place, { maxLength: 60 });

function placesIn(bits: Bitmap, from = 0): number[] {
  const found: number[] = [];
  bits.forEach((block, number) => {
    if (block && (number + 1) * BLOCK > from)
      forEachBit(
        block,
        Math.max(0, from - number * BLOCK),
        (offset) => found.push(number * BLOCK + offset) > 0,
      );
  });
  return found;
}

const ascending = (given: Iterable<number>) => [...given].sort((a, b) => a - b);

test("a set lists its ids in order, from any of them on", () => {
  fc.assert(
    fc.property(places, place, (given, from) => {
      expect(placesIn(bitsOf(given))).toEqual(ascending(given));
      expect(placesIn(bitsOf(given), from)).toEqual(ascending(given.filter((one) => one >= from)));
    }),
  );
});

test("union, intersection and difference match JavaScript's sets; their operands do not change", () => {
  fc.assert(
    fc.property(places, places, places, (one, two, three) => {
      const sets = [one, two, three].map((given) => bitsOf(given)) as [Bitmap, Bitmap, Bitmap];
      const [a, b, c] = [one, two, three].map((given) => new Set(given)) as [
        Set<number>,
        Set<number>,
        Set<number>,
      ];
      expect(placesIn(union(sets))).toEqual(ascending(a.union(b).union(c)));
      expect(placesIn(intersection(sets))).toEqual(ascending(a.intersection(b).intersection(c)));
      expect(placesIn(without(sets[0], sets[1]))).toEqual(ascending(a.difference(b)));
      expect(sets.map((set) => placesIn(set))).toEqual([one, two, three].map(ascending));
    }),
  );
});

test("an id is added and removed, and visiting ends on request", () => {
  const bits = bitsOf([5, BLOCK]);
  setBit(bits, 5, false);
  setBit(bits, 9 * BLOCK, false);
  setBit(bits, 31, true);
  setBit(bits, 32, true);
  expect(placesIn(bits)).toEqual([31, 32, BLOCK]);
  const seen: number[] = [];
  forEachBit(bits[0] as Uint32Array, 0, (offset) => seen.push(offset) < 1);
  expect(seen).toEqual([31]);
});

test("a set is the same after PostgreSQL's binary format", () => {
  fc.assert(
    fc.property(places, (given) => {
      const bits = bitsOf(given);
      const sent = writeBits(bits);
      expect(sent.readInt32BE(0)).toBe(bits.length * BLOCK);
      const back = Array.from({ length: bits.length }, (_, number) =>
        readBlock(
          Buffer.concat([Buffer.alloc(4), sent.subarray(4 + number * 4096, 4 + (number + 1) * 4096)]),
        ),
      );
      expect(placesIn(back)).toEqual(ascending(given));
    }),
  );
});
