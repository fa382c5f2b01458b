/**
 * What this process knows of the tools on sale: cell, price and minimum order of every place, and the words that were
 * asked for lately, as bits (migration 0014). The database is asked before every search what has changed since, so
 * nothing here is older than the search. Some 12 bytes a tool, and 16 MB of words.
 */
import type { Queryable } from "../../../database/client.ts";
import type { FacetTuple } from "../facets.ts";
import { type Bitmap, BLOCK, BLOCK_BYTES, BLOCK_SHIFT, forEachBit, readBlock, setBit } from "./bitmap.ts";
import { ByteLru } from "./bounded.ts";

/** A block of places; cell 0: nothing is for sale here. */
export interface Columns {
  cells: Int32Array;
  prices: Int32Array;
  minimums: Int32Array;
}

/** Which cells fit, by their ids; undefined: all. */
export type AllowedTuples = Uint8Array | undefined;

interface Change {
  place: number;
  changed: number;
  /** null: it is no longer for sale */
  cell: number | null;
  price_cents: number | null;
  minimum_order: number | null;
  words: number[] | null;
}

interface WordBlock {
  word: number;
  block: number;
  tools: Buffer;
  /** the newest change that it has */
  changed: number;
}

const WORDS_BYTES = 16 * 1024 * 1024;
/** So many changes are made one by one; more, and their blocks are read anew. */
const FEW = 500;

const CHANGES = `
SELECT place, changed, entry.cell, entry.price_cents, entry.minimum_order, entry.words
FROM shop.catalogue_place LEFT JOIN shop.catalogue_entry entry USING (place)
WHERE changed > $1 ORDER BY changed LIMIT ${FEW + 1}`;
const COLUMNS = `
SELECT json_agg(place & ${BLOCK - 1}) AS offsets, json_agg(cell) AS cells, json_agg(price_cents) AS prices,
  json_agg(minimum_order) AS minimums
FROM shop.catalogue_entry WHERE place >= $1 AND place < $2`;
const WORDS = `
SELECT word, block, bit_send(tools) AS tools, (SELECT max(changed) FROM shop.catalogue_place) AS changed
FROM shop.catalogue_block WHERE word = ANY ($1)`;

const known = new WeakMap<Queryable, CatalogueIndex>();

/** The places of the database behind this pool. */
export function catalogueIndexOf(pool: Queryable): CatalogueIndex {
  const places = known.get(pool) ?? new CatalogueIndex(pool);
  known.set(pool, places);
  return places;
}

export class CatalogueIndex {
  readonly #pool: Queryable;
  /** categories in the catalogue's order */
  categories: string[] = [];
  /** by cell: the number of its category in the catalogue's order */
  positions = new Int32Array(1);
  readonly #columns: Columns[] = [];
  #cells: FacetTuple[] = [];
  readonly #words = new ByteLru<Bitmap, number>(WORDS_BYTES);
  /** of all places, until something changes */
  #counted: FacetTuple[] | undefined;
  #changed = -1;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(pool: Queryable) {
    this.#pool = pool;
  }

  /** Settles when everything is known that had been committed when this was called. */
  refresh(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {}) // who asked for that one has heard of it
      .then(() => {
        this.#next = undefined;
        this.#running = this.#catchUp();
        return this.#running;
      });
    return this.#next;
  }

  /** The places that have these words (ids of shop.catalogue_word), by word. */
  async words(ids: number[]): Promise<Map<number, Bitmap>> {
    const found = new Map<number, Bitmap>();
    for (const id of ids) {
      const bits = this.#words.get(id);
      if (bits) found.set(id, bits);
    }
    // what is asked for often stays longest
    for (const [id, bits] of found) this.#remember(id, bits);
    const missing = ids.filter((id) => !found.has(id));
    for (const [id, bits] of missing.length > 0 ? await this.#readWords(missing) : []) found.set(id, bits);
    return found;
  }

  /** Shows every place on sale in `bits` (undefined: all) whose cell fits, ascending, until `visit` gives false. */
  each(
    { bits, fits, from = 0 }: { bits: Bitmap | undefined; fits: AllowedTuples; from?: number },
    visit: (place: number, columns: Columns, offset: number) => boolean,
  ): void {
    for (let number = from >> BLOCK_SHIFT; number < this.#columns.length; number += 1) {
      const columns = this.#columns[number];
      if (!columns) continue;
      const first = Math.max(0, from - number * BLOCK);
      const at = (offset: number) => {
        const cell = columns.cells[offset] as number;
        if (cell === 0 || (fits && fits[cell] !== 1)) return true;
        return visit(number * BLOCK + offset, columns, offset);
      };
      if (!bits) for (let offset = first; offset < BLOCK; offset += 1) if (!at(offset)) return;
      const block = bits?.[number];
      if (block && !forEachBit(block, first, at)) return;
    }
  }

  /** The blocks with places in `bits` (undefined: all), ascending. */
  *blocks(
    bits: Bitmap | undefined,
  ): Iterable<{ from: number; columns: Columns; block: Uint32Array | undefined }> {
    for (const [number, columns] of this.#columns.entries()) {
      const block = bits?.[number];
      if (columns && (block || !bits)) yield { from: number * BLOCK, columns, block };
    }
  }

  /** How many of these places there are of every cell. */
  count(bits: Bitmap | undefined): FacetTuple[] {
    if (!bits && this.#counted) return this.#counted;
    const counts = new Int32Array(this.positions.length);
    for (const { columns, block } of this.blocks(bits)) countTuples(columns.cells, block, counts);
    const counted = this.#cells.flatMap((cell) => {
      const tools = counts[cell.id];
      return tools ? { ...cell, tools } : [];
    });
    if (!bits) this.#counted = counted;
    return counted;
  }

  async #catchUp(): Promise<void> {
    if (this.#changed === -1) return this.#readAll();
    const { rows } = await this.#pool.query<Change>({
      name: "catalogue-changes",
      text: CHANGES,
      values: [this.#changed],
    });
    if (rows.length > FEW) return this.#readBlocks();
    const last = rows.at(-1);
    if (!last) return;
    await this.#knowCells(Math.max(...rows.map(({ cell }) => cell ?? 0)));
    // all at once: words that are being read meanwhile see by the number whether they came too early
    for (const row of rows) this.#change(row);
    this.#changed = last.changed;
  }

  #change({ place, cell, price_cents, minimum_order, words }: Change): void {
    const number = place >> BLOCK_SHIFT;
    this.#columns[number] ??= emptyColumns();
    this.#counted = undefined;
    const { cells, prices, minimums } = this.#columns[number];
    const offset = place & (BLOCK - 1);
    cells[offset] = cell ?? 0;
    prices[offset] = price_cents ?? 0;
    minimums[offset] = minimum_order ?? 0;
    const has = new Set(words);
    for (const [id, bits] of this.#words.entries()) setBit(bits, place, has.has(id));
  }

  async #readAll(): Promise<void> {
    const { rows } = await this.#pool.query<{ changed: number | null; last: number | null }>(
      "SELECT max(changed) AS changed, max(place) AS last FROM shop.catalogue_place",
    );
    const { changed, last } = rows[0] as (typeof rows)[number];
    for (let number = 0; number <= (last ?? -1) >> BLOCK_SHIFT; number += 1) await this.#readColumns(number);
    this.#changed = changed ?? 0;
  }

  async #readBlocks(): Promise<void> {
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
    const { offsets, cells, prices, minimums } = rows[0] as (typeof rows)[number];
    const columns = emptyColumns();
    offsets?.forEach((offset, at) => {
      columns.cells[offset] = cells?.[at] as number;
      columns.prices[offset] = prices?.[at] as number;
      columns.minimums[offset] = minimums?.[at] as number;
    });
    await this.#knowCells((cells ?? []).reduce((most, cell) => Math.max(most, cell), 0));
    this.#columns[number] = columns;
    this.#counted = undefined;
  }

  /** Cells are never changed or taken away; new ones have higher ids. */
  async #knowCells(highest: number): Promise<void> {
    if (highest < this.positions.length) return;
    const [{ rows: cells }, { rows: categories }] = await Promise.all([
      this.#pool.query<FacetTuple>("SELECT *, 0 AS tools FROM shop.catalogue_cell ORDER BY id"),
      this.#pool.query<{ name: string }>("SELECT name FROM shop.catalogue_category ORDER BY position"),
    ]);
    this.#cells = cells;
    this.categories = categories.map(({ name }) => name);
    const order = new Map(this.categories.map((name, position) => [name, position]));
    const positions = new Int32Array((cells.at(-1)?.id ?? 0) + 1);
    for (const { id, category } of cells) positions[id] = order.get(category ?? "") ?? order.size;
    this.positions = positions;
  }

  async #readWords(ids: number[]): Promise<Map<number, Bitmap>> {
    for (;;) {
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
      // what has been heard of since is missing in them; what has not been, will be put into them
      if (readAt < this.#changed) continue;
      for (const [id, bits] of found) this.#remember(id, bits);
      return found;
    }
  }

  #remember(id: number, bits: Bitmap): void {
    this.#words.set(id, bits, bits.length * BLOCK_BYTES);
  }
}

function countTuples(cells: Int32Array, block: Uint32Array | undefined, counts: Int32Array): void {
  // cell 0 stands for nothing, and nobody looks at its count
  const one = (offset: number) => {
    const cell = cells[offset] as number;
    counts[cell] = (counts[cell] as number) + 1;
    return true;
  };
  if (block) forEachBit(block, 0, one);
  else for (let offset = 0; offset < BLOCK; offset += 1) one(offset);
}

function emptyColumns(): Columns {
  return { cells: new Int32Array(BLOCK), prices: new Int32Array(BLOCK), minimums: new Int32Array(BLOCK) };
}
