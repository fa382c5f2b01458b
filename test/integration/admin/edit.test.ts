import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { addProduct, drill, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
});
afterAll(() => store.stop());

type Changes = Partial<typeof drill> & { archived?: boolean };

function bodyOf(product: Product, changes: Changes = {}) {
  return { ...drill, ...changes, version: product.version ?? 0, seenQuantity: product.quantity };
}

const edit = (product: Product, changes: Changes) =>
  admin.send("editProduct", { params: { id: product._id }, body: bodyOf(product, changes) });

const currentProduct = (product: Product) => admin.call("findProduct", { params: { id: product._id } });

/** The stock, and the sum of the ledger. */
async function stockOf({ _id }: Product) {
  const { rows } = await store.pool.query<{ quantity: number; ledger: number; corrected: number }>(
    `SELECT quantity, (SELECT sum(pieces) FROM shop.stock_movement WHERE product_id = product.id) AS ledger,
       (SELECT coalesce(sum(pieces), 0) FROM shop.stock_movement WHERE product_id = product.id AND reason = 'corrected') AS corrected
     FROM shop.product WHERE id = $1`,
    [_id],
  );
  return rows[0];
}

describe("editing a tool", () => {
  test("changes every field, removes cleared ones, and increments the version", async () => {
    const product = await addProduct(admin, {
      category: "Drilling",
      technicalData: [{ name: "Chuck", value: "13 mm" }],
    });
    const { status, body } = await edit(product, { name: "Impact drill 2", price: 14.25, minimum_order: 5 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "Impact drill 2", price: 14.25, minimum_order: 5, version: 2 });
    expect(body).not.toHaveProperty("category");
    expect(await currentProduct(product)).toEqual(body);
  });

  test("moves the stock by the difference, so a sale since the form was opened is kept", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    await placeFor(buyer, product, 30);
    const { status, body } = await edit(product, { quantity: 120 });
    expect(status).toBe(200);
    expect(body.quantity).toBe(90);
    expect(await stockOf(product)).toEqual({ quantity: 90, ledger: 90, corrected: 20 });
  });

  test("writes no movement if the stock is unchanged", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    await edit(product, { quantity: 100, price: 13 });
    expect(await stockOf(product)).toEqual({ quantity: 100, ledger: 100, corrected: 0 });
  });

  test("refuses to remove more than the stock, and says how many there are", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    await placeFor(buyer, product, 80);
    const { status, body } = await edit(product, { quantity: 50 });
    expect(status).toBe(409);
    expect(body.fields.quantity).toContain("Only 20 pieces are left, so 50 cannot be removed.");
    expect(body.present).toMatchObject({ quantity: 20, version: product.version });
    expect(await stockOf(product)).toEqual({ quantity: 20, ledger: 20, corrected: 0 });
  });

  test("shows the second of two admins the changes of the first one", async () => {
    const product = await addProduct(admin);
    await edit(product, { price: 15 });
    const { status, body } = await edit(product, { price: 16, quantity: 2000 });
    expect(status).toBe(409);
    expect(body.present).toMatchObject({ price: 15, version: 2, quantity: drill.quantity });
    expect(await stockOf(product)).toMatchObject({ quantity: drill.quantity, corrected: 0 });
  });

  test("of concurrent edits exactly one succeeds", async () => {
    const product = await addProduct(admin, { quantity: 100 });
    const replies = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((more) => edit(product, { quantity: 100 + more })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
    const stock = await stockOf(product);
    expect(stock?.quantity).toBe(stock?.ledger);
    expect((await currentProduct(product)).version).toBe(2);
  });

  test("concurrent with purchases and cancellations, loses none: the ledger adds up to the stock", async () => {
    const product = await addProduct(admin, { quantity: 500 });
    const buying = Array.from({ length: 30 }, async (_, index) => {
      const { _id } = await placeFor(buyer, product, 10);
      if (index % 3 === 0) await buyer.call("cancelPurchase", { params: { id: _id } });
    });
    const editing = (async () => {
      for (let round = 0; round < 10; round += 1) {
        const fresh = await currentProduct(product);
        await edit(fresh, { quantity: fresh.quantity + 7 });
      }
    })();
    await Promise.all([...buying, editing]);
    // 20 purchases of 10 succeeded, 10 edits of 7 were added
    expect(await stockOf(product)).toEqual({
      quantity: 500 - 200 + 70,
      ledger: 500 - 200 + 70,
      corrected: 70,
    });
  });

  test("accepts a stock that cancelled orders raised above a million, but does not raise it further", async () => {
    const first = await addProduct(admin, { quantity: 1_000_000, price: 1, minimum_order: 50 });
    const sold = await placeFor(buyer, first, 900_000);
    const left = await currentProduct(first);
    expect((await edit(left, { quantity: 1_000_000 })).status).toBe(200);
    await buyer.call("cancelPurchase", { params: { id: sold._id } });
    const product = await currentProduct(first);
    expect(product.quantity).toBe(1_900_000);
    const form = { quantity: product.quantity, price: 2, minimum_order: 50 };
    const { status, body } = await edit(product, { ...form, quantity: 1_900_001 });
    expect([status, body.fields]).toEqual([422, { quantity: "Enter 1900000 or less." }]);
    expect(await edit(product, form)).toMatchObject({ status: 200, body: { price: 2, quantity: 1_900_000 } });
    const priced = await currentProduct(product);
    expect((await edit(priced, { ...form, quantity: 500_000 })).status).toBe(200);
    expect(await stockOf(product)).toMatchObject({ quantity: 500_000, ledger: 500_000 });
  });

  test("refuses a deleted product, and an item number in use", async () => {
    const taken = await addProduct(admin, { itemNumber: "TAKEN 1" });
    const product = await addProduct(admin);
    const { status, body } = await edit(product, { itemNumber: "TAKEN 1" });
    expect(status).toBe(422);
    expect(body.fields).toHaveProperty("itemNumber");
    await admin.call("deleteProduct", { params: { id: taken._id } });
    expect((await edit(taken, {})).status).toBe(404);
  });

  test("archives a product and puts it back on sale, with its number unless another has it", async () => {
    const same = { name: "Archived saw", itemNumber: "ARC 1" };
    const product = await addProduct(admin, same);
    const find = (archived?: "only" | "all") =>
      admin.call("searchProducts", { query: { q: "archived saw", ...(archived && { archived }) } });
    expect((await edit(product, { ...same, archived: true })).body).toMatchObject({
      archived: true,
      version: 2,
    });
    expect((await find()).products).toEqual([]);
    expect(await find("only")).toMatchObject({ counts: { all: 1 }, products: [{ archived: true }] });
    const searched = async () =>
      (await admin.call("searchCatalogue", { query: { q: "archived saw" } })).tools.map(({ name }) => name);
    expect(await searched()).not.toContain("Archived saw");

    const other = await addProduct(admin, { itemNumber: "ARC 1" });
    const restore = () => admin.send("restoreProduct", { params: { id: product._id } });
    expect(await restore()).toMatchObject({ status: 409, body: { detail: refusals.itemNumberTaken } });
    const archived = { ...product, version: 2 };
    const refused = await edit(archived, { ...same, archived: false });
    expect([refused.status, refused.body.fields]).toEqual([422, { itemNumber: refusals.itemNumberTaken }]);
    expect((await edit(archived, {})).status).toBe(404);
    await admin.call("deleteProduct", { params: { id: other._id } });
    expect(await restore()).toMatchObject({ status: 200, body: { itemNumber: "ARC 1", version: 3 } });
    expect((await restore()).status).toBe(404);
    expect(await searched()).toContain("Archived saw");
    expect((await find("all")).products).toMatchObject([{ _id: product._id, name: "Archived saw" }]);
    const { events } = await admin.call("listHistory", { query: { q: product._id } });
    expect(events.map(({ what }) => what)).toEqual(["restored", "deleted", "added"]);
    expect(events[0]).toMatchObject({ before: { archived_at: expect.any(String) } });
  });
});
