/**
 * This process's copy of the index (migration 0014): 12 bytes per document, at most 16 MB of posting bitmaps. Every
 * search first reads what changed since the last one, so results are never stale.
 */
import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Queryable } from "../../../database/client.ts";
import { type Facets, type FacetTuple, type Filters, facetsOf } from "../facets.ts";
import { type Bitmap, BLOCK, BLOCK_BYTES, BLOCK_SHIFT, forEachBit, readBlock, setBit } from "./bitmap.ts";

/** A block of documents; tuple 0 means not on sale. */
export interface Columns {
  tuples: Int32Array;
  prices: Int32Array;
  minimums: Int32Array;
}

export type AllowedTuples = Uint8Array | undefined;

interface Change {
  docId: number;
  changed: number;
  /** null: no longer on sale */
  tuple: number | null;
  price_cents: number | null;
  minimum_order: number | null;
  words: number[] | null;
}

interface WordBlock {
  word: number;
  block: number;
  tools: Buffer;
  changed: number;
}

const WORDS_BYTES = 16 * 1024 * 1024;
const MAX_CACHED_FACETS = 100;
/** After more changes than this, whole blocks are reloaded. */
const MAX_CHANGES = 500;
/** A database that is behind this index for longer has lost changes: a standby without them took over. */
const BEHIND_MS = 1000;
const BEHIND_PAUSE_MS = 50;

const CHANGES = `
SELECT place AS "docId", changed, entry.cell AS tuple, entry.price_cents, entry.minimum_order, entry.words
FROM shop.catalogue_place LEFT JOIN shop.catalogue_entry entry USING (place)
WHERE changed > $1 ORDER BY changed LIMIT ${MAX_CHANGES + 1}`;
const COLUMNS = `
SELECT json_agg(place & ${BLOCK - 1}) AS offsets, json_agg(cell) AS tuples, json_agg(price_cents) AS prices,
  json_agg(minimum_order) AS minimums
FROM shop.catalogue_entry WHERE place >= $1 AND place < $2`;
const WORDS = `
SELECT word, block, bit_send(tools) AS tools, (SELECT max(changed) FROM shop.catalogue_place) AS changed
FROM shop.catalogue_block WHERE word = ANY ($1)`;

const known = new WeakMap<Queryable, CatalogueIndex>();

export function catalogueIndexOf(pool: Queryable): CatalogueIndex {
  const index = known.get(pool) ?? new CatalogueIndex(pool);
  known.set(pool, index);
  return index;
}

export class CatalogueIndex {
  readonly #pool: Queryable;
  categories: string[] = [];
  /** by tuple: the index of its category in `categories` */
  positions = new Int32Array(1);
  readonly #columns: Columns[] = [];
  #tuples: FacetTuple[] = [];
  readonly #words = new LRUCache<number, Bitmap>({ maxSize: WORDS_BYTES });
  #counted: FacetTuple[] | undefined;
  readonly #facets = new LRUCache<string, Facets>({ max: MAX_CACHED_FACETS });
  #changed = -1;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(pool: Queryable) {
    this.#pool = pool;
  }

  /** Resolves when everything committed before this call is loaded. Concurrent calls share a read. */
  refresh(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {}) // reported to the caller of that read
      .then(() => {
        this.#next = undefined;
        this.#running = this.#applyChanges();
        return this.#running;
      });
    return this.#next;
  }

  /** Posting bitmaps by word (ids of shop.catalogue_word). */
  async words(ids: number[]): Promise<Map<number, Bitmap>> {
    const found = new Map<number, Bitmap>();
    for (const id of ids) {
      const bits = this.#words.get(id);
      if (bits) found.set(id, bits);
    }
    const missing = ids.filter((id) => !found.has(id));
    for (const [id, bits] of missing.length > 0 ? await this.#readWords(missing) : []) found.set(id, bits);
    return found;
  }

  /** Visits the documents in `bits` (undefined: all) with an allowed tuple, ascending, until `visit` returns false. */
  forEachDoc(
    { bits, allowed, from = 0 }: { bits: Bitmap | undefined; allowed: AllowedTuples; from?: number },
    visit: (docId: number, columns: Columns, offset: number) => boolean,
  ): void {
    for (let number = from >> BLOCK_SHIFT; number < this.#columns.length; number += 1) {
      const columns = this.#columns[number];
      if (!columns) continue;
      const first = Math.max(0, from - number * BLOCK);
      const at = (offset: number) => {
        const tuple = columns.tuples[offset] as number;
        if (tuple === 0 || (allowed && allowed[tuple] !== 1)) return true;
        return visit(number * BLOCK + offset, columns, offset);
      };
      if (!bits) for (let offset = first; offset < BLOCK; offset += 1) if (!at(offset)) return;
      const block = bits?.[number];
      if (block && !forEachBit(block, first, at)) return;
    }
  }

  *blocks(
    bits: Bitmap | undefined,
  ): Iterable<{ from: number; columns: Columns; block: Uint32Array | undefined }> {
    for (const [number, columns] of this.#columns.entries()) {
      const block = bits?.[number];
      if (columns && (block || !bits)) yield { from: number * BLOCK, columns, block };
    }
  }

  count(bits: Bitmap | undefined): FacetTuple[] {
    if (!bits && this.#counted) return this.#counted;
    const counts = new Int32Array(this.positions.length);
    for (const { columns, block } of this.blocks(bits)) countTuples(columns.tuples, block, counts);
    const counted = this.#tuples.flatMap((tuple) => {
      const tools = counts[tuple.id];
      return tools ? { ...tuple, tools } : [];
    });
    if (!bits) this.#counted = counted;
    return counted;
  }

  facets(tuples: FacetTuple[], { category, power, voltage, price, minimum, stock }: Filters): Facets {
    const filters = { category, power, voltage, price, minimum, stock };
    if (tuples !== this.#counted) return facetsOf(tuples, filters, this.categories);
    const key = JSON.stringify(filters);
    const facets = this.#facets.get(key) ?? facetsOf(tuples, filters, this.categories);
    this.#facets.set(key, facets);
    return facets;
  }

  async #applyChanges(): Promise<void> {
    if (this.#changed === -1) return this.#readAll();
    const { rows } = await this.#pool.query<Change>({
      name: "catalogue-changes",
      text: CHANGES,
      values: [this.#changed],
    });
    if (rows.length > MAX_CHANGES) return this.#reloadBlocks();
    const last = rows.at(-1);
    if (!last) return;
    await this.#loadTuples(Math.max(...rows.map(({ tuple }) => tuple ?? 0)));
    // synchronous: a concurrent read of words compares #changed to see whether it is older
    for (const row of rows) this.#applyChange(row);
    this.#changed = last.changed;
  }

  #applyChange({ docId, tuple, price_cents, minimum_order, words }: Change): void {
    const number = docId >> BLOCK_SHIFT;
    this.#columns[number] ??= emptyColumns();
    this.#clearCounts();
    const { tuples, prices, minimums } = this.#columns[number];
    const offset = docId & (BLOCK - 1);
    tuples[offset] = tuple ?? 0;
    prices[offset] = price_cents ?? 0;
    minimums[offset] = minimum_order ?? 0;
    const has = new Set(words);
    for (const [id, bits] of this.#words.entries()) setBit(bits, docId, has.has(id));
  }

  async #readAll(): Promise<void> {
    const { rows } = await this.#pool.query<{ changed: number | null; last: number | null }>(
      "SELECT max(changed) AS changed, max(place) AS last FROM shop.catalogue_place",
    );
    const { changed, last } = rows[0] as (typeof rows)[number];
    await this.#loadTuples(Number.POSITIVE_INFINITY);
    this.#columns.length = ((last ?? -1) >> BLOCK_SHIFT) + 1;
    for (let number = 0; number <= (last ?? -1) >> BLOCK_SHIFT; number += 1) await this.#readColumns(number);
    this.#words.clear();
    this.#changed = changed ?? 0;
  }

  #startOver(): Promise<void> {
    this.#changed = -1;
    return this.refresh();
  }

  async #reloadBlocks(): Promise<void> {
    const { rows } = await this.#pool.query<{ block: number; changed: number }>(
      `SELECT place >> ${BLOCK_SHIFT} AS block, max(changed) AS changed
       FROM shop.catalogue_place WHERE changed > $1 GROUP BY block`,
      [this.#changed],
    );
    for (const { block } of rows) await this.#readColumns(block);
    this.#words.clear();
    this.#changed = Math.max(this.#changed, ...rows.map(({ changed }) => changed));
  }

  async #readColumns(number: number): Promise<void> {
    const from = number * BLOCK;
    const { rows } = await this.#pool.query<Record<"offsets" | keyof Columns, number[] | null>>({
      name: "catalogue-columns",
      text: COLUMNS,
      values: [from, from + BLOCK],
    });
    const { offsets, tuples, prices, minimums } = rows[0] as (typeof rows)[number];
    const columns = emptyColumns();
    offsets?.forEach((offset, at) => {
      columns.tuples[offset] = tuples?.[at] as number;
      columns.prices[offset] = prices?.[at] as number;
      columns.minimums[offset] = minimums?.[at] as number;
    });
    await this.#loadTuples((tuples ?? []).reduce((most, tuple) => Math.max(most, tuple), 0));
    this.#columns[number] = columns;
    this.#clearCounts();
  }

  /** Tuples are append-only; new ones have higher ids. */
  async #loadTuples(highest: number): Promise<void> {
    if (highest < this.positions.length) return;
    const [{ rows: tuples }, { rows: categories }] = await Promise.all([
      this.#pool.query<FacetTuple>("SELECT *, 0 AS tools FROM shop.catalogue_cell ORDER BY id"),
      this.#pool.query<{ name: string }>("SELECT name FROM shop.catalogue_category ORDER BY position"),
    ]);
    this.#tuples = tuples;
    this.categories = categories.map(({ name }) => name);
    const order = new Map(this.categories.map((name, position) => [name, position]));
    const positions = new Int32Array((tuples.at(-1)?.id ?? 0) + 1);
    for (const { id, category } of tuples) positions[id] = order.get(category ?? "") ?? order.size;
    this.positions = positions;
  }

  async #readWords(ids: number[]): Promise<Map<number, Bitmap>> {
    const behindUntil = performance.now() + BEHIND_MS;
    for (;;) {
      const known = this.#changed;
      const found = new Map<number, Bitmap>(ids.map((id) => [id, []]));
      let readAt = Number.POSITIVE_INFINITY;
      const { rows } = await this.#pool.query<WordBlock>({
        name: "catalogue-bits",
        text: WORDS,
        values: [ids],
      });
      for (const { word, block, tools, changed } of rows) {
        (found.get(word) as Bitmap)[block] = readBlock(tools);
        readAt = changed;
      }
      // changes applied since the read are missing in these bitmaps; later ones will be applied to them
      if (readAt >= this.#changed) {
        for (const [id, bits] of found) this.#cacheWord(id, bits);
        return found;
      }
      if (readAt < known)
        await (performance.now() > behindUntil ? this.#startOver() : pause(BEHIND_PAUSE_MS));
    }
  }

  #clearCounts(): void {
    this.#counted = undefined;
    this.#facets.clear();
  }

  #cacheWord(id: number, bits: Bitmap): void {
    this.#words.set(id, bits, { size: Math.max(1, bits.length * BLOCK_BYTES) });
  }
}

function countTuples(tuples: Int32Array, block: Uint32Array | undefined, counts: Int32Array): void {
  const one = (offset: number) => {
    const tuple = tuples[offset] as number;
    counts[tuple] = (counts[tuple] as number) + 1;
    return true;
  };
  if (block) forEachBit(block, 0, one);
  else for (let offset = 0; offset < BLOCK; offset += 1) one(offset);
}

function emptyColumns(): Columns {
  return { tuples: new Int32Array(BLOCK), prices: new Int32Array(BLOCK), minimums: new Int32Array(BLOCK) };
}
