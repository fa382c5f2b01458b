/** Looking at every place that matches; these loops run a million times, so they are plain. */

import type { Sort } from "../facets.ts";
import { type Bitmap, BLOCK, BLOCK_SHIFT, emptyBlock, HIGHEST } from "./bitmap.ts";
import type { Cursor } from "./cursor.ts";
import type { AllowedTuples, CatalogueIndex } from "./index-cache.ts";

interface Wanted {
  bits: Bitmap | undefined;
  fits: AllowedTuples;
  after?: Cursor | undefined;
  limit: number;
}

type NumberSort = Exclude<Sort, "name">;

/** The first places of those that are in `bits` and fit, in this order, after the cursor. */
export function firstInOrder(
  places: CatalogueIndex,
  { bits, fits, after, limit }: Wanted,
  sort: NumberSort,
): Cursor[] {
  const { positions } = places;
  // backwards is forwards with everything negative
  const sign = sort === "-price" ? -1 : 1;
  const best = new Best(limit);
  const afterKey = after ? sign * (after.key as number) : Number.NEGATIVE_INFINITY;
  const afterPlace = after ? sign * after.place : 0;
  for (const { from, columns, block } of places.blocks(bits)) {
    const { cells } = columns;
    const values = sort === "minimum" ? columns.minimums : columns.prices;
    for (let offset = 0; offset < BLOCK; offset += 1) {
      if (block) {
        const own = block[offset >> 5] as number;
        if (own === 0) offset |= 31;
        if ((own & (HIGHEST >>> (offset & 31))) === 0) continue;
      }
      const cell = cells[offset] as number;
      const key = sort === "catalogue" ? (positions[cell] as number) : sign * (values[offset] as number);
      if (key > best.last || key < afterKey || cell === 0 || (fits && fits[cell] !== 1)) continue;
      const place = sign * (from + offset);
      if (key > afterKey || place > afterPlace) best.offer(key, place);
    }
  }
  return best.kept.map(([key, place]) => ({ key: sign * key, place: sign * place }));
}

/** The places of `bits` that fit. */
export function allowedOf(places: CatalogueIndex, bits: Bitmap | undefined, fits: Uint8Array): Bitmap {
  const fitting: Bitmap = [];
  for (const { from, columns, block } of places.blocks(bits)) {
    const { cells } = columns;
    const mine = emptyBlock();
    fitting[from >> BLOCK_SHIFT] = mine;
    for (let offset = 0; offset < BLOCK; offset += 1) {
      const bit = HIGHEST >>> (offset & 31);
      if (fits[cells[offset] as number] !== 1 || (block && ((block[offset >> 5] as number) & bit) === 0))
        continue;
      mine[offset >> 5] = (mine[offset >> 5] as number) | bit;
    }
  }
  return fitting;
}

/** The least few of what is offered, by key and then place. */
class Best {
  readonly kept: [key: number, place: number][] = [];
  readonly #most: number;
  /** what has a larger key need not be offered */
  last = Number.POSITIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  offer(key: number, place: number): void {
    const { kept } = this;
    let at = kept.length;
    while (at > 0 && isBehind(kept[at - 1] as [number, number], key, place)) at -= 1;
    if (at === this.#most) return;
    kept.splice(at, 0, [key, place]);
    if (kept.length > this.#most) kept.pop();
    if (kept.length === this.#most) this.last = (kept.at(-1) as [number, number])[0];
  }
}

function isBehind([key, place]: [number, number], otherKey: number, otherPlace: number): boolean {
  return key > otherKey || (key === otherKey && place > otherPlace);
}
