/** Every field of a product goes the whole way: a place that forgets one fails here. */
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { COLUMNS, IMPORTED_COLUMNS } from "../../../shop/import/column-names.ts";
import { FORM_COLUMNS, toColumns } from "../../../shop/products/columns.ts";
import { completeForm as first } from "../../harness/complete-form.ts";
import { drill, type NewProduct } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, type SignedIn } from "../../harness/users.ts";

const second: typeof first = {
  name: "Rotary hammer",
  price: 299,
  minimum_order: 12,
  order_multiple: 6,
  price_breaks: [{ quantity: 60, price: 280 }],
  quantity: 77,
  description: "For concrete.",
  picture: "/tools/rotary-hammer.svg",
  itemNumber: "EF 2",
  category: "Demolition",
  keyFact: "3.2 J",
  powerSource: "800 W mains",
  technicalData: [{ name: "Weight", value: "3.1 kg" }],
  drawnBox: [1, 2, 3, 4],
  dimensions: { width: 380, height: 210 },
};

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(() => store.stop());

const find = (id: string) => admin.call("findProduct", { params: { id } });

async function add(form: NewProduct): Promise<Product> {
  const { insertedId } = await admin.call("addProduct", { body: form });
  return find(insertedId);
}

const edit = async ({ _id, version = 0, quantity }: Product, form: NewProduct & { reorderPoint?: number }) =>
  admin.call("editProduct", { params: { id: _id }, body: { ...form, version, seenQuantity: quantity } });

async function lastChange({ _id }: Product) {
  const { events } = await admin.call("listHistory", { query: { subject: "product" } });
  // the stock has an entry of its own
  return events.find(({ subjectId, what }) => subjectId === _id && !what.startsWith("stock"));
}

const remove = async (...products: Product[]) => {
  for (const { _id } of products) await admin.call("deleteProduct", { params: { id: _id } });
};

test("each field is added, found, edited, remembered and cleared", async () => {
  const added = await add(first);
  const { _id } = added;
  expect(added).toEqual({ ...first, _id, version: 1 });
  expect((await lastChange(added))?.after).toEqual(expect.objectContaining(toColumns(first)));

  const edited = await edit(added, { ...second, reorderPoint: 25 });
  expect(edited).toEqual({ ...second, _id, version: 2, reorderPoint: 25 });
  const { reorderPoint, ...shown } = edited;
  expect(await find(_id)).toEqual(shown);
  expect(await admin.call("listProducts", { query: {} })).toEqual([shown]);
  expect((await admin.call("searchProducts", { query: {} })).products).toEqual([edited]);
  const change = await lastChange(added);
  expect(change?.before).toMatchObject(toColumns(first));
  expect(change?.after).toMatchObject(toColumns(second));

  const cleared = await edit(edited, drill);
  expect(cleared).toEqual({ ...drill, _id, version: 3, reorderPoint });
  await remove(added);
});

/** A column of the table of products that no form sets is one of these. */
test("the form sets each column", async () => {
  const { rows } = await store.pool.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = 'shop.product'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  );
  const apart = ["id", "quantity", "reorder_point", "version", "created_at", "archived_at"];
  expect([...FORM_COLUMNS.split(", "), ...apart].sort()).toEqual(rows.map(({ name }) => name).sort());
});

test("each column of a file is exported, imported, remembered and undone", async () => {
  const added = [
    await edit(await add(first), { ...first, reorderPoint: 15 }),
    await edit(await add(second), { ...second, reorderPoint: 25 }),
  ];
  const [one, two] = added as [Product, Product];
  const exported = await exportedRows();
  const [cells, others] = [exported["EF 1"], exported["EF 2"]];
  for (const column of COLUMNS) expect(cells?.[column], column).not.toBe(others?.[column]);

  // a new product
  expect(await importRow({ ...cells, item_number: "EF 3" })).toMatchObject({ created: 1 });
  const three = (await exportedRows())["EF 3"];
  expect(three).toEqual({ ...cells, item_number: "EF 3" });

  // an existing one
  const { _id, ...result } = await importRow({ ...others, item_number: "EF 1" });
  expect(result).toMatchObject({ changed: 1 });
  expect((await exportedRows())["EF 1"]).toEqual({ ...others, item_number: "EF 1" });
  const { records } = await admin.call("listImportRows", { params: { id: _id }, query: {} });
  expect(records[0]?.changes.map(({ column }) => column)).toEqual(
    COLUMNS.filter((column) => column !== "item_number"),
  );
  const remembered = Object.keys((await lastChange(one))?.after ?? {});
  expect(remembered.sort()).toEqual(
    [...IMPORTED_COLUMNS.filter((column) => column !== "item_number"), "version"].sort(),
  );
  // what a file does not have stays
  const { keyFact, powerSource, technicalData, drawnBox, dimensions } = first;
  expect(await find(one._id)).toMatchObject({ keyFact, powerSource, technicalData, drawnBox, dimensions });

  const undo = await admin.call("undoImport", { params: { id: _id } });
  await finished(undo._id);
  expect((await exportedRows())["EF 1"]).toEqual(cells);
  await remove(one, two);
});

async function exportedRows(): Promise<Record<string, Record<string, string>>> {
  const csv = await (await admin.fetch("/admin/products/export.csv")).text();
  const rows = parse<Record<string, string>>(csv, { columns: true });
  return Object.fromEntries(rows.map((row) => [row.item_number, row]));
}

async function importRow(row: Record<string, string>) {
  const content = stringify([row], { header: true });
  const { body } = await admin.send("importProducts", { body: { file: { name: "erp.csv", content } } });
  return finished(body._id);
}

const finished = (id: string) =>
  vi.waitUntil(
    async () => {
      const found = await admin.call("findImport", { params: { id } });
      return found.state === "done" && found;
    },
    { timeout: 50_000, interval: 30 },
  );
