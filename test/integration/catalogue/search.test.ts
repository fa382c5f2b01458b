/** Searching the sample catalogue: by words, item numbers, facets; page by page; while the catalogue changes. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CatalogueQuery, catalogueQuery } from "../../../api/catalogue-calls.ts";
import { storefrontOf } from "../../../server/storefront.ts";
import { NO_FILTERS, sorts } from "../../../shop/catalogue/facets.ts";
import { searchCatalogue } from "../../../shop/catalogue/search.ts";
import { deleteProduct } from "../../../shop/products/delete.ts";
import { loadSampleData } from "../../../shop/sample-data/seed.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { expectSearchToAgree } from "./agreement.ts";
import { type FilledCatalogue, openFilled } from "./filled.ts";

let catalogue: FilledCatalogue;
let pool: FilledCatalogue["pool"];
let store: FilledCatalogue["store"];
beforeAll(async () => {
  catalogue = await openFilled((empty) => loadSampleData(empty));
  ({ pool, store } = catalogue);
});
afterAll(() => catalogue.drop());

async function find(query: Partial<CatalogueQuery>) {
  const found = await catalogue.find(query);
  return { ...found, names: found.tools.map((tool) => tool.name) };
}

test.each([
  ["jigsaw", "Jigsaw"],
  ["jgisaw", "Jigsaw"],
  ["JIGSA", "Jigsaw"],
  ["rotray hamer", "Rotary hammer"],
  ["rotary sds plus", "Rotary hammer"],
  ["DD 18-60", "Drill driver"],
  ["dd1860", "Drill driver"],
  ["dd1861", "Drill driver"],
  ["60 nm", "Drill driver"],
])("“%s” finds %s first", async (q, name) => {
  expect((await find({ q })).names[0]).toBe(name);
});

test("item numbers of every script are found, also without their spaces and dashes", async () => {
  const { rows } = await pool.query<{ id: string; item_number: string }>(
    "SELECT id, item_number FROM shop.product WHERE item_number IS NOT NULL ORDER BY id LIMIT 6",
  );
  const composed = ["ÄG 125-14", "ЙК 18-60", "한국 150-8", "ガ 26-3"];
  const numbers = [...composed, "ÖG 12-1".normalize("NFD"), "국 15-2".normalize("NFD")];
  for (const [index, number] of numbers.entries()) {
    const { id, item_number } = rows[index] as (typeof rows)[number];
    await pool.query("UPDATE shop.product SET item_number = $1 WHERE id = $2", [number, id]);
    for (const typed of [number, number.replace(/[ -]/g, "").toLowerCase(), number.normalize("NFD")])
      expect((await find({ q: typed })).tools[0], typed).toMatchObject({ itemNumber: number });
    await pool.query("UPDATE shop.product SET item_number = $1 WHERE id = $2", [item_number, id]);
  }
});

test("a name with an inch sign or a unit in words is found as it is written", async () => {
  const [saw] = (await find({ q: "mitre saw" })).tools;
  for (const name of ['Jade saw 77"', "Jade saw 96 volts", "Jade saw 7½"]) {
    await pool.query("UPDATE shop.product SET name = $1 WHERE id = $2", [name, saw?._id]);
    const found = await find({ q: name.replace("saw ", "") });
    expect(found.names[0]).toBe(name);
    expect(found.partialFrom).not.toBe(0);
  }
  await pool.query("UPDATE shop.product SET name = $1 WHERE id = $2", [saw?.name, saw?._id]);
});

test("matches in the name come before matches in the data, and nonsense finds nothing", async () => {
  // in the data alone
  const found = (await find({ q: "hex" })).tools;
  expect(found.length).toBeGreaterThan(0);
  const named = (await find({ q: "drill" })).tools.map((tool) =>
    /drill/i.test(`${tool.name} ${tool.category}`),
  );
  expect(named).toEqual(named.toSorted((a, b) => Number(b) - Number(a)));
  expect(await find({ q: "xyzzyq" })).toMatchObject({ total: 0, tools: [] });
});

test.each(["𠮷𠮷𠮷", "𐐔𐐯𐑅𐐨𐑉𐐯𐐻"])("“%s”, with letters of two code units, finds nothing", async (q) => {
  expect(await find({ q })).toMatchObject({ total: 0, tools: [] });
});

test("each facet count is the result count with that facet selected", async () => {
  const all = await find({});
  expect(all).toMatchObject({ total: 30 });
  for (const { value, tools } of all.facets.category)
    expect((await find({ category: [value] })).total).toBe(tools);
  for (const { value, tools } of all.facets.voltage)
    expect((await find({ voltage: [value] })).total).toBe(tools);
  for (const { value, tools } of all.facets.price) expect((await find({ price: [value] })).total).toBe(tools);
  for (const { value, tools } of all.facets.minimum)
    expect((await find({ minimum: value })).total).toBe(tools);
  for (const { value, tools } of all.facets.stock) expect((await find({ stock: value })).total).toBe(tools);
  const saws = await find({ q: "saw", category: ["Sawing"], power: ["Mains"] });
  expect(
    saws.tools.every((tool) => tool.category === "Sawing" && tool.powerSource?.startsWith("Mains")),
  ).toBe(true);
});

test("without results, the counts without one filter or without the words are those results' counts", async () => {
  const picks = { category: ["Sawing"], power: ["Battery"], voltage: [120] };
  const { total, without } = await find(picks);
  expect(total).toBe(0);
  expect(without).toEqual([{ filter: "power", tools: (await find({ ...picks, power: [] })).total }]);
  for (const filter of ["category", "voltage"])
    expect((await find({ ...picks, [filter]: [] })).total).toBe(0);

  const words = { q: "jigsaw", category: ["Sanding & finishing"] };
  expect((await find(words)).without).toEqual([
    { filter: "category", tools: (await find({ q: "jigsaw" })).total },
    { filter: "q", tools: (await find({ category: ["Sanding & finishing"] })).total },
  ]);
  // nothing to leave out, and nothing missing
  expect(await find({ q: "xyzzyq" })).not.toHaveProperty("without");
  expect(await find({ category: ["Sawing"] })).not.toHaveProperty("without");
});

test.each([undefined, ...sorts])("pages in the order %s return every product once", async (sort) => {
  for (const q of ["", "mm"]) {
    const whole = (await find({ q, sort })).tools.map((tool) => tool._id);
    const paged: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await find({ q, sort, limit: 7, cursor });
      paged.push(...page.tools.map((tool) => tool._id));
      cursor = page.next;
      more = cursor !== undefined;
    }
    expect(paged).toEqual(whole);
    expect(new Set(paged).size).toBe(paged.length);
  }
});

test("a cursor of another order, or an invalid one, is refused", async () => {
  const none: CatalogueQuery = { q: "", category: [], power: [], voltage: [], price: [], limit: 5 };
  const { next } = await find({ limit: 5, sort: "name" });
  const zero = Buffer.from('["\\u0000",1]').toString("base64url");
  for (const cursor of [next, "nonsense", "e30", zero]) {
    const refused = await searchCatalogue(store, { ...none, sort: "price", cursor });
    expect(refused).toMatchObject({ refused: "invalid", detail: refusals.badCursor });
  }
  const refused = await searchCatalogue(store, { ...none, sort: "name", cursor: zero });
  expect(refused).toMatchObject({ refused: "invalid", detail: refusals.badCursor });
});

test("the cursor after the longest name is one that the call accepts", async () => {
  const { tools } = await find({ sort: "name", limit: 2 });
  for (const name of ["電".repeat(200), '"'.repeat(200), "🔧".repeat(100)]) {
    for (const { _id } of tools)
      await pool.query("UPDATE shop.product SET name = $1 WHERE id = $2", [name, _id]);
    const total = (await find({})).total;
    for (const limit of [total - 2, total - 1]) {
      const { next } = await find({ sort: "name", limit });
      expect(catalogueQuery.safeParse({ cursor: next }).success).toBe(true);
    }
  }
  for (const { _id, name } of tools)
    await pool.query("UPDATE shop.product SET name = $1 WHERE id = $2", [name, _id]);
});

test("a name of a single very long word is found as it is written, and by how it begins", async () => {
  const [saw] = (await find({ q: "mitre saw" })).tools;
  const name = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtensäge";
  await pool.query("UPDATE shop.product SET name = $1 WHERE id = $2", [name, saw?._id]);
  for (const q of [name, `${name} mm`, name.slice(0, 70), name.slice(0, 61), name.slice(0, 40)]) {
    const found = await find({ q });
    expect([found.names[0], found.understood], q).toEqual([name, undefined]);
  }
  await pool.query("UPDATE shop.product SET name = $1 WHERE id = $2", [saw?.name, saw?._id]);
});

test.each(["🔧🔧", "—", "?"])("a tool named %s, without any letter, is in the catalogue", async (name) => {
  const [saw] = (await find({ q: "mitre saw" })).tools;
  const { total } = await find({});
  const change = (to: (string | null | undefined)[]) =>
    pool.query(
      "UPDATE shop.product SET name = $2, category = $3, key_fact = $4, power_source = $5, technical_data = $6 WHERE id = $1",
      [saw?._id, ...to],
    );
  await change([name, null, null, null, null]);
  await expectSearchToAgree(pool);
  expect((await find({})).total).toBe(total);
  expect((await find({ sort: "name" })).names).toContain(name);
  expect((await find({ q: saw?.itemNumber ?? "" })).names).toContain(name);
  const { category, keyFact, powerSource, technicalData } = saw ?? {};
  await change([saw?.name, category, keyFact, powerSource, JSON.stringify(technicalData)]);
  expect((await find({ q: "mitre saw" })).tools[0]).toEqual({ ...saw, version: expect.any(Number) });
  await expectSearchToAgree(pool);
});

test("the migration lists a tool without a word that was on sale before", async () => {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
     VALUES ('🔧', '/saw.svg', 100, 1, 1, 'A wrench.') RETURNING id`,
  );
  const [tool] = rows;
  const { total } = await find({});
  // as it was
  await pool.query("DELETE FROM shop.catalogue_entry WHERE product_id = $1", [tool?.id]);
  await pool.query("DELETE FROM shop.catalogue_word WHERE word = ''");
  const migration = new URL("../../../database/migrations/0080-tools-without-words.sql", import.meta.url);
  await pool.query(readFileSync(migration, "utf8"));
  await expectSearchToAgree(pool);
  expect((await find({ sort: "price" })).tools[0]?._id).toBe(tool?.id);
  expect((await find({})).total).toBe(total);
  await deleteProduct(store, tool?.id ?? "");
});

test("a sale below one order, a new name and a deleted product are found with their current state", async () => {
  const [saw] = (await find({ q: "mitre saw" })).tools;
  const covering = async () => (await find({ q: "mitre saw", stock: "covers" })).names;
  expect(await covering()).toContain("Mitre saw");
  await pool.query("UPDATE shop.product SET quantity = 1 WHERE id = $1", [saw?._id]);
  expect(await covering()).not.toContain("Mitre saw");
  await pool.query("UPDATE shop.product SET name = 'Quantum saw' WHERE id = $1", [saw?._id]);
  const quantum = async () => (await find({ q: "quantum" })).names;
  expect(await quantum()).toEqual(["Quantum saw"]);
  await deleteProduct(store, saw?._id as string);
  expect(await quantum()).toEqual([]);
});

test("with few full matches, partial matches follow, the closest first", async () => {
  const { tools, partialFrom, total } = await find({ q: "orbital jigsaw makita" });
  expect([tools[0]?.name, partialFrom, total]).toEqual(["Jigsaw", 0, tools.length]);
  const few = await find({ q: "reciprocating saw" });
  expect(few).toMatchObject({ partialFrom: 1, names: expect.arrayContaining(["Jigsaw", "Table saw"]) });
  expect(few.names[0]).toBe("Reciprocating saw");
  expect(await find({ q: "reciprocating saw", sort: "price" })).toMatchObject({ total: 1 });
  expect(await find({ q: "18v" })).not.toHaveProperty("partialFrom");
});

test("a new synonym is effective at once, a removed one no longer", async () => {
  const names = async () => (await find({ q: "zogger" })).names;
  expect(await names()).toEqual([]);
  await pool.query("INSERT INTO shop.synonym (term, same_as) VALUES ('Zogger', 'bench grinder')");
  expect(await names()).toEqual(["Bench grinder"]);
  expect((await find({ q: "zogg" })).names).toEqual(["Bench grinder"]);
  await pool.query("DELETE FROM shop.synonym WHERE term = 'Zogger'");
  expect(await names()).toEqual([]);
});

test("a page of rows is read without descriptions and technical data", async () => {
  const page = { ...NO_FILTERS, q: "", limit: 5 };
  const rows = await storefrontOf(store).searchCatalogue(page, "rows");
  expect(rows?.tools.map(({ description, technicalData }) => [description, technicalData])).toEqual(
    Array.from({ length: 5 }, () => ["", undefined]),
  );
  const cards = await storefrontOf(store).searchCatalogue(page, "products");
  expect(cards?.tools.map(({ description }) => description)).not.toContain("");
});

test("an item number that no tool has is said to be unknown, and similar tools follow", async () => {
  for (const q of ["AG 125-15", "ag12515", "AG 125-99"]) {
    const found = await find({ q });
    expect(found, q).toMatchObject({ unknownNumber: true });
    expect(found.tools[0]?.itemNumber, q).toBe("AG 125-14");
  }
  for (const q of [
    "AG 125-14",
    "ag 125",
    "18 V zzyzx",
    "saw 125",
    "AG 125 sander",
    "ZZ 9999",
    `A1${"-1".repeat(99)} x`,
  ])
    expect(await find({ q }), q).not.toHaveProperty("unknownNumber");
});
