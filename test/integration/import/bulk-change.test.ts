/** One change of many products, and undoing imports, through the calls, with the job on a real database. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Product } from "../../../api/entities.ts";
import type { BulkChange } from "../../../api/import-calls.ts";
import { applyChange } from "../../../shop/import/bulk-change.ts";
import { importRefusals } from "../../../shop/texts/import-refusals.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import { addProduct, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Ada");
});
afterAll(() => store.stop());
afterEach(() => expectConsistentStore(store.pool));

async function finished(id: string) {
  const find = () => admin.call("findImport", { params: { id } });
  await vi.waitUntil(async () => ["done", "failed"].includes((await find()).state), { timeout: 50_000 });
  return find();
}

async function compare(change: Partial<BulkChange>) {
  const body = { field: "price", how: "percent", value: 10, ...change } as BulkChange;
  return finished((await admin.call("changeProducts", { body }))._id);
}

async function apply(id: string) {
  await admin.call("applyImport", { params: { id } });
  return finished(id);
}

async function undo(id: string) {
  return finished((await admin.call("undoImport", { params: { id } }))._id);
}

const find = (id: string) => admin.call("findProduct", { params: { id } });
const rowsOf = async (id: string) =>
  (await admin.call("listImportRows", { params: { id }, query: {} })).records;

describe("a change of many products", () => {
  test("archives them and puts them back, but not two with one item number", async () => {
    const one = await addProduct(admin, { name: "Shelf one", itemNumber: "ARC-B1" });
    await admin.call("deleteProduct", { params: { id: one._id } });
    const two = await addProduct(admin, {
      name: "Shelf two",
      itemNumber: "ARC-B1",
      powerSource: "Battery 18 V",
    });
    const archive = { field: "archived", how: "set", value: "yes" } as const;
    const compared = await compare({ q: "shelf", power: "Battery", ...archive });
    expect(compared).toMatchObject({ fileName: "Archived", rows: 1, changed: 1 });
    expect((await rowsOf(compared._id))[0]?.changes).toEqual([{ column: "archived", was: "no", is: "yes" }]);
    expect(await apply(compared._id)).toMatchObject({ changed: 1 });
    expect((await admin.send("findProduct", { params: { id: two._id } })).status).toBe(404);
    expect((await rowsOf(compared._id))[0]).toMatchObject({ productId: two._id, archived: true });

    const back = await compare({ q: "shelf", archived: "only", ...archive, value: "no" });
    expect(back).toMatchObject({ rows: 2, changed: 2 });
    expect(await apply(back._id)).toMatchObject({ changed: 1, refused: 1 });
    expect(await find(one._id)).toMatchObject({ itemNumber: "ARC-B1" });
    const late = await compare({ ids: [two._id], ...archive, value: "no" });
    expect(await rowsOf(late._id)).toMatchObject([
      { status: "refused", reason: importRefusals.itemNumberInUse },
    ]);
    expect(await undo(back._id)).toMatchObject({ changed: 1 });
    expect(await undo(compared._id)).toMatchObject({ changed: 1 });
    expect(await find(two._id)).toMatchObject({ itemNumber: "ARC-B1" });
    expect((await rowsOf(compared._id))[0]).not.toHaveProperty("archived");
  });

  test("is compared, applied and undone; price breaks change too", async () => {
    const breaks = [{ quantity: 100, price: 9 }];
    const one = await addProduct(admin, {
      name: "Bulk A one",
      price: 10,
      minimum_order: 10,
      price_breaks: breaks,
    });
    const two = await addProduct(admin, { name: "Bulk A two", price: 99.99 });
    const other = await addProduct(admin, { name: "Other", price: 10 });
    expect(await compare({ q: "bulk a", category: "Bulk B", value: 2.5 })).toMatchObject({ rows: 0 });
    const compared = await compare({ q: "bulk a", value: 2.5, roundTo: 0.05 });
    expect(compared).toMatchObject({
      kind: "bulk",
      fileName: "Price +2.5%",
      dryRun: true,
      rows: 2,
      changed: 2,
    });
    expect(await find(one._id)).toMatchObject({ price: 10 });
    expect(await rowsOf(compared._id)).toMatchObject([
      {
        name: "Bulk A one",
        changes: [
          { column: "price", was: "10.00", is: "10.25" },
          { column: "price_breaks", was: "100=9.00", is: "100=9.25" },
        ],
      },
      { name: "Bulk A two", changes: [{ column: "price", was: "99.99", is: "102.50" }] },
    ]);
    expect(await apply(compared._id)).toMatchObject({ dryRun: false, changed: 2, refused: 0 });
    expect(await find(one._id)).toMatchObject({
      price: 10.25,
      price_breaks: [{ quantity: 100, price: 9.25 }],
    });
    expect(await find(two._id)).toMatchObject({ price: 102.5 });
    expect(await find(other._id)).toMatchObject({ price: 10 });

    const undone = await undo(compared._id);
    expect(undone).toMatchObject({ kind: "undo", fileName: "Undo of Price +2.5%", changed: 2, refused: 0 });
    expect(await find(one._id)).toMatchObject({ price: 10, price_breaks: breaks });
    expect(await find(two._id)).toMatchObject({ price: 99.99 });
    expect(await admin.call("findImport", { params: { id: compared._id } })).toMatchObject({
      undoneBy: undone._id,
    });
    const again = await admin.send("undoImport", { params: { id: compared._id } });
    expect(again).toMatchObject({ status: 409, body: { detail: "This import is undone already." } });
    await undo(undone._id);
    expect(await find(two._id)).toMatchObject({ price: 102.5 });
  });

  test("refuses rows with invalid results, and skips products changed meanwhile", async () => {
    const cheap = await addProduct(admin, { name: "Sander, cheap", price: 1, minimum_order: 1 });
    const expensive = await addProduct(admin, { name: "Sander, dear", price: 50 });
    const compared = await compare({ q: "sander", how: "amount", value: -2 });
    expect(compared).toMatchObject({ changed: 1, refused: 1 });
    expect((await rowsOf(compared._id))[0]).toMatchObject({
      reason: "price: The result would be -1.00.",
    });
    await store.pool.query(
      "UPDATE shop.product SET price_cents = 7000, version = version + 1 WHERE id = $1",
      [expensive._id],
    );
    expect(await apply(compared._id)).toMatchObject({ changed: 0, refused: 2 });
    expect(await find(expensive._id)).toMatchObject({ price: 70 });
    expect(await find(cheap._id)).toMatchObject({ price: 1 });
  });

  test("of the stock keeps sales, also when it is undone", async () => {
    const tool = await addProduct(admin, { name: "Bulk C", price: 5, quantity: 100, minimum_order: 10 });
    const compared = await compare({ ids: [tool._id], field: "quantity", how: "amount", value: 50 });
    await apply(compared._id);
    await placeFor(buyer, tool, 30);
    expect(await find(tool._id)).toMatchObject({ quantity: 120 });
    await undo(compared._id);
    expect(await find(tool._id)).toMatchObject({ quantity: 70 });
  });

  test("of the stock is not undone after a count, but after a delivery or an earlier count", async () => {
    const [counted, received] = [
      await addProduct(admin, { name: "Bulk counted", price: 5, quantity: 100 }),
      await addProduct(admin, { name: "Bulk received", price: 5, quantity: 100 }),
    ];
    const change = (tool: Product, kind: "count" | "receive", pieces: number) =>
      admin.call("changeStock", { params: { id: tool._id }, body: { kind, pieces } });
    await change(received, "count", 90);
    const ids = [counted._id, received._id];
    const compared = await compare({ ids, field: "quantity", how: "amount", value: 50 });
    await apply(compared._id);
    await change(counted, "count", 140);
    await change(received, "receive", 5);
    const undone = await undo(compared._id);
    expect(undone).toMatchObject({ changed: 1, refused: 1 });
    expect((await rowsOf(undone._id)).flatMap(({ reason }) => reason ?? [])).toEqual([
      "quantity: It was changed again since.",
    ]);
    expect(await find(counted._id)).toMatchObject({ quantity: 140 });
    expect(await find(received._id)).toMatchObject({ quantity: 95 });
  });

  test("is not undone where a value was changed again, or the product was added", async () => {
    const tool = await addProduct(admin, { name: "Bulk D", price: 5, category: "Saws" });
    const first = await compare({ ids: [tool._id], field: "category", how: "set", value: "Drills" });
    await apply(first._id);
    const second = await compare({ ids: [tool._id], field: "category", how: "set", value: "" });
    await apply(second._id);
    const undone = await undo(first._id);
    expect(undone).toMatchObject({ changed: 0, refused: 1 });
    expect((await rowsOf(undone._id))[0]?.reason).toBe("category: It was changed again since.");
    await undo(second._id);
    expect(await find(tool._id)).toMatchObject({ category: "Drills" });

    const content = "item_number,name,price,description,picture\nBULK-1,Added,9,A.,/tools/x.svg";
    const { body } = await admin.send("importProducts", { body: { file: { name: "a.csv", content } } });
    await finished(body._id);
    expect(await undo(body._id)).toMatchObject({ refused: 1 });
  });

  test("is refused by field name", async () => {
    const cases: [object, string][] = [
      [{ field: "price", how: "percent", value: "" }, "value"],
      [{ field: "price", how: "percent", value: 1001 }, "value"],
      [{ field: "minimum_order", how: "set", value: 1.5 }, "value"],
      [{ field: "category", how: "percent", value: 5 }, "value"],
      [{ field: "price", how: "set", value: 1.005 }, "value"],
      [{ field: "name", how: "set", value: "x" }, "field"],
      [{ field: "price", how: "set", value: 5, ids: [] }, "ids"],
      [{ field: "price", how: "set", value: "0x10" }, "value"],
      [{ field: "price", how: "set", value: " " }, "value"],
      [{ field: "price", how: "set", value: "５" }, "value"],
      // all products on sale would be changed
      [{ field: "price", how: "percent", value: 5, q: " " }, "q"],
      [{ field: "price", how: "percent", value: 5, category: "" }, "category"],
      [{ field: "price", how: "percent", value: 5, categry: "Saws" }, "categry"],
      // the first price band
      [{ field: "price", how: "percent", value: 5, price: "" }, "price"],
      [{ field: "price", how: "percent", value: 5, price: null }, "price"],
      [{ field: "price", how: "percent", value: 5, voltage: false }, "voltage"],
      // the filter would be left out
      [{ field: "price", how: "percent", value: 5, ids: [randomUUID()], category: "Saws" }, "category"],
      [{ field: "quantity", how: "percent", value: 5, roundTo: 10 }, "roundTo"],
      [{ field: "price", how: "percent", value: 5, roundTo: 0.015 }, "roundTo"],
    ];
    for (const [body, name] of cases) {
      const reply = await admin.send("changeProducts", { body });
      expect(reply.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(reply.body.fields)).toEqual([name]);
    }
    const compared = await compare({ q: "nothing has this name" });
    expect(compared).toMatchObject({ state: "done", rows: 0 });
    expect((await admin.send("undoImport", { params: { id: compared._id } })).status).toBe(409);
  });
});

test("a percentage of cents is exact, and never below one cent", () => {
  const base = { price_breaks: [], quantity: 1 } as never;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.integer({ min: -9900, max: 100_000 }),
      (cents, hundredths) => {
        const change = { field: "price", how: "percent", value: hundredths / 100 } as BulkChange;
        const exact = (BigInt(cents) * BigInt(10_000 + hundredths) * 2n + 10_000n) / 20_000n;
        const run = () =>
          applyChange({ ...(base as object), price_cents: cents } as never, change).price_cents;
        if (exact < 1n) expect(run).toThrow("price: The result would be 0.00.");
        else expect(run()).toBe(Number(exact));
      },
    ),
  );
});
