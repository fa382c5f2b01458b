/** Scans of all matching documents. They run up to a million times per search, so they avoid callbacks. */

import type { Sort } from "../facets.ts";
import { type Bitmap, BLOCK, BLOCK_SHIFT, emptyBlock, HIGHEST_BIT } from "./bitmap.ts";
import type { Cursor } from "./cursor.ts";
import type { AllowedTuples, CatalogueIndex } from "./index-cache.ts";

interface ScanRequest {
  bits: Bitmap | undefined;
  allowed: AllowedTuples;
  after?: Cursor | undefined;
  limit: number;
}

type NumberSort = Exclude<Sort, "name">;

export function firstInOrder(
  index: CatalogueIndex,
  { bits, allowed, after, limit }: ScanRequest,
  sort: NumberSort,
): Cursor[] {
  const { positions } = index;
  // a descending order is an ascending one of negated numbers
  const sign = sort === "-price" ? -1 : 1;
  const best = new TopK(limit);
  const afterKey = after ? sign * (after.key as number) : Number.NEGATIVE_INFINITY;
  const afterDocId = after ? sign * after.docId : 0;
  for (const { from, columns, block } of index.blocks(bits)) {
    const { tuples } = columns;
    const values = sort === "minimum" ? columns.minimums : columns.prices;
    for (let offset = 0; offset < BLOCK; offset += 1) {
      if (block) {
        const own = block[offset >> 5] as number;
        if (own === 0) offset |= 31;
        if ((own & (HIGHEST_BIT >>> (offset & 31))) === 0) continue;
      }
      const tuple = tuples[offset] as number;
      const key = sort === "catalogue" ? (positions[tuple] as number) : sign * (values[offset] as number);
      if (key > best.last || key < afterKey || tuple === 0 || (allowed && allowed[tuple] !== 1)) continue;
      const docId = sign * (from + offset);
      if (key > afterKey || docId > afterDocId) best.offer(key, docId);
    }
  }
  return best.kept.map(([key, docId]) => ({ key: sign * key, docId: sign * docId }));
}

export function allowedOf(index: CatalogueIndex, bits: Bitmap | undefined, allowed: Uint8Array): Bitmap {
  const allowedBits: Bitmap = [];
  for (const { from, columns, block } of index.blocks(bits)) {
    const { tuples } = columns;
    const allowedBlock = emptyBlock();
    allowedBits[from >> BLOCK_SHIFT] = allowedBlock;
    for (let offset = 0; offset < BLOCK; offset += 1) {
      const bit = HIGHEST_BIT >>> (offset & 31);
      if (allowed[tuples[offset] as number] !== 1 || (block && ((block[offset >> 5] as number) & bit) === 0))
        continue;
      allowedBlock[offset >> 5] = (allowedBlock[offset >> 5] as number) | bit;
    }
  }
  return allowedBits;
}

class TopK {
  readonly kept: [key: number, docId: number][] = [];
  readonly #most: number;
  last = Number.POSITIVE_INFINITY;

  constructor(most: number) {
    this.#most = most;
  }

  offer(key: number, docId: number): void {
    const { kept } = this;
    let at = kept.length;
    while (at > 0 && isBehind(kept[at - 1] as [number, number], key, docId)) at -= 1;
    if (at === this.#most) return;
    kept.splice(at, 0, [key, docId]);
    if (kept.length > this.#most) kept.pop();
    if (kept.length === this.#most) this.last = (kept.at(-1) as [number, number])[0];
  }
}

function isBehind([key, docId]: [number, number], otherKey: number, otherDocId: number): boolean {
  return key > otherKey || (key === otherKey && docId > otherDocId);
}
