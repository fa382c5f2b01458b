/** Checking lines and the cart of an account, through the calls and in SQL. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { clientOf } from "../../harness/client.ts";
import { addProduct, editProduct, impactWrench } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let wrench: Product;
let grinder: Product;

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Ada Lovell");
  wrench = await addProduct(admin, { ...impactWrench, itemNumber: "XW 10-I0" });
  grinder = await addProduct(admin, {
    name: "Small grinder",
    itemNumber: "XG 125-14",
    quantity: 55,
    minimum_order: 5,
  });
  await addProduct(admin, { name: "Twin saw", itemNumber: "TW 1" });
  await addProduct(admin, { name: "Twin saw", itemNumber: "TW 2" });
});
afterAll(() => store.stop());

const check = async (...lines: object[]) =>
  (await clientOf(store).send("checkLines", { body: { lines } })).body;
const checkOne = async (line: object) => (await check(line)).lines[0];

describe("finding a product", () => {
  test.each([
    "XW 10-I0",
    "xw10i0",
    " X-W 1 0 I 0 ",
    "XW 1O-10",
    "xw-IO-IO",
    "Impact wrench",
    "  impact   WRENCH ",
  ])("by %j", async (text) => {
    expect(await checkOne({ text, quantity: 20 })).toMatchObject({ productId: wrench._id, total: 2580 });
  });

  test("by its item number in any notation", async () => {
    const between = fc.constantFrom("", " ", "-", " - ", ".", "/");
    const alike: Record<string, string[]> = {
      "1": ["1", "i", "I"],
      I: ["1", "i", "I"],
      "0": ["0", "o", "O"],
    };
    const notation = fc
      .tuple(
        ...[..."XW10I0"].map((one) => fc.constantFrom(...(alike[one] ?? [one, one.toLowerCase()]))),
        between,
      )
      .chain((parts) =>
        fc
          .array(between, { minLength: parts.length, maxLength: parts.length })
          .map((separators) => parts.map((part, at) => part + separators[at]).join("")),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(notation, { minLength: 1, maxLength: 20 }), async (texts) => {
        const { lines } = await check(...texts.map((text) => ({ text })));
        const found = lines.map(({ productId }: { productId: string }) => productId);
        expect(found).toEqual(texts.map(() => wrench._id));
      }),
      { numRuns: 30 },
    );
  });

  test("by the exact item number, if another one differs only in O and 0", async () => {
    const letter = await addProduct(admin, { name: "Letter", itemNumber: "QO 5" });
    const digit = await addProduct(admin, { name: "Digit", itemNumber: "Q0 5" });
    expect((await checkOne({ text: "qo5" })).productId).toBe(letter._id);
    expect((await checkOne({ text: "q05" })).productId).toBe(digit._id);
  });

  test.each(["NFC", "NFD"])("by a name in %s, typed in either form", async (form) => {
    const name = `Säbelsäge ${form}`;
    const saw = await addProduct(admin, { name: name.normalize(form) });
    for (const typed of ["NFC", "NFD"])
      expect((await checkOne({ text: name.toUpperCase().normalize(typed) })).productId).toBe(saw._id);
  });

  test("by its id in upper case", async () => {
    const line = await checkOne({ productId: wrench._id.toUpperCase() });
    expect(line).toMatchObject({ productId: wrench._id, quantity: 20 });
  });

  test("not by an ambiguous name; both products are suggested", async () => {
    const line = await checkOne({ text: "twin saw" });
    expect([line.code, line.detail]).toEqual(["unknown", "Several tools have the name twin saw."]);
    expect(line.suggestions.map(({ itemNumber }: { itemNumber: string }) => itemNumber).toSorted()).toEqual([
      "TW 1",
      "TW 2",
    ]);
  });

  test("suggests similar ones", async () => {
    const line = await checkOne({ text: "XG 125-4", quantity: 5 });
    expect([line.code, line.detail]).toEqual(["unknown", "No tool has the item number XG 125-4."]);
    expect(line.suggestions[0]).toMatchObject({ productId: grinder._id, itemNumber: "XG 125-14" });
    expect(line.suggestions.length).toBeLessThanOrEqual(3);
  });

  test.each(["", "  ", "%", "---", "𝒳".repeat(100), "'; DROP TABLE shop.product"])(
    "%j finds nothing, or is refused",
    async (text) => {
      const { status, body } = await clientOf(store).send("checkLines", { body: { lines: [{ text }] } });
      if (text.trim()) expect(body.lines[0].code).toBe("unknown");
      else expect([status, body.fields]).toEqual([422, { "lines.0.text": expect.any(String) }]);
    },
  );

  test("that is no longer sold", async () => {
    const discontinued = await addProduct(admin, { name: "Old planer", itemNumber: "OP 1" });
    await admin.call("deleteProduct", { params: { id: discontinued._id } });
    const line = await checkOne({ productId: discontinued._id });
    expect(line).toMatchObject({ code: "archived", detail: "Old planer OP 1 is no longer sold." });
    // what is in the warehouse cannot be ordered
    expect(line).not.toHaveProperty("stock");
    const again = await addProduct(admin, { name: "New planer", itemNumber: "OP-1" });
    expect(await checkOne({ text: "op1" })).toMatchObject({ productId: again._id });
  });
});

describe("a quantity", () => {
  test.each([
    [20, undefined, undefined, []],
    ["1,200", undefined, undefined, []],
    ["1 200", undefined, undefined, []],
    ["", undefined, undefined, []],
    [10, "below_minimum", "The minimum order is 20.", [20]],
    [465, "not_a_multiple", "Sold in multiples of 10. 465 is not one.", [470, 460]],
    [1235, "not_a_multiple", "Sold in multiples of 10. 1,235 is not one.", [1240, 1230]],
    [1300, "above_stock", "1,240 in stock, you asked for 1,300.", [1240]],
    [1e9, "bad_quantity", "1,240 in stock, you asked for 1,000,000,000.", [1240]],
    [-5, "bad_quantity", "The minimum order is 20.", [20]],
    [0, "bad_quantity", "The minimum order is 20.", [20]],
    [1.5, "bad_quantity", "Enter a whole number.", [20]],
    ["12abc", "bad_quantity", "12abc is not a quantity. Enter a whole number.", []],
    ["1,200 pcs", "bad_quantity", "1,200 pcs is not a quantity. Enter a whole number.", [1200]],
    ["20 Stk.", "bad_quantity", "20 Stk. is not a quantity. Enter a whole number.", [20]],
    ["1.200 pcs", "bad_quantity", "1.200 pcs is not a quantity. Enter a whole number.", []],
    ["1.200", "bad_quantity", "1.200 is not a quantity. Enter a whole number.", []],
    ["1,20", "bad_quantity", "1,20 is not a quantity. Enter a whole number.", []],
  ])("%j is %s", async (quantity, code, detail, fixes) => {
    const line = await checkOne({ text: "XW10I0", quantity });
    const offered = (line.fixes ?? []).map((fix: { quantity: number }) => fix.quantity);
    expect([line.code, line.detail, offered]).toEqual([code, detail, fixes]);
    for (const fixed of offered)
      expect((await checkOne({ text: "XW10I0", quantity: fixed })).code).toBeUndefined();
  });

  test("is added up with that of other lines of the product", async () => {
    const { lines, total, pieces } = await check(
      { text: "XW10I0", quantity: 60 },
      { productId: grinder._id, quantity: 5 },
      { productId: wrench._id, quantity: 40 },
    );
    expect(lines.map(({ price, total: sum }: { price: number; total: number }) => [price, sum])).toEqual([
      [119, 7140],
      [12.5, 62.5],
      [119, 4760],
    ]);
    expect([total, pieces]).toEqual([11_962.5, 105]);
    const wrong = await check({ text: "XW10I0", quantity: 5 }, { text: "XW10I0", quantity: 8 });
    expect(wrong.lines.map((line: { fixes: { quantity: number }[] }) => line.fixes[0]?.quantity)).toEqual([
      12, 15,
    ]);
    expect([wrong.total, wrong.pieces]).toEqual([0, 0]);
  });

  test("suggests a larger quantity that costs less", async () => {
    expect(await checkOne({ text: "XW10I0", quantity: 460 })).toMatchObject({
      nextBreak: { quantity: 500, price: 109, total: 54_500 },
      cheaper: { quantity: 500, total: 54_500, saves: 240 },
    });
  });

  test("whose price rose is still part of the total; one whose price fell is not mentioned", async () => {
    const { lines, total } = await check({ text: "XW10I0", quantity: 20, price: 120 });
    expect(lines[0]).toMatchObject({
      code: "price_changed",
      previousPrice: 120,
      detail: "Price changed since you added it: was $120.00, now $129.00.",
    });
    expect(total).toBe(2580);
    expect((await checkOne({ text: "XW10I0", quantity: 20, price: 140 })).code).toBeUndefined();
  });
});

describe("many lines", () => {
  test("5,000 are checked, 5,001 refused", async () => {
    const lines = Array.from({ length: 5000 }, (_, at) => ({ text: at % 2 ? "XW 10-I0" : `Nothing ${at}` }));
    const { status, body } = await clientOf(store).send("checkLines", { body: { lines } });
    expect([status, body.lines.length, body.lines[0].code, body.lines[1].productId]).toEqual([
      200,
      5000,
      "unknown",
      wrench._id,
    ]);
    const more = await clientOf(store).send("checkLines", { body: { lines: [...lines, { text: "more" }] } });
    expect([more.status, more.body.fields]).toEqual([422, { lines: "An order has at most 5,000 lines." }]);
  });

  test("a body of 10 MB is refused", async () => {
    const body = { lines: [{ text: "x".repeat(10 * 1024 * 1024) }] };
    expect((await clientOf(store).send("checkLines", { body })).status).toBe(413);
  });
});

describe("the cart", () => {
  const cartOf = (user: SignedIn) => user.call("findCart", {});

  test("is empty at first, and is replaced under its version", async () => {
    const user = await register(store);
    expect(await cartOf(user)).toEqual({ version: 0, lines: [] });
    const lines = [
      { productId: wrench._id, quantity: 20, price: 129 },
      { productId: grinder._id, quantity: 5 },
    ];
    expect(await user.call("saveCart", { body: { version: 0, lines } })).toEqual({ version: 1 });
    expect(await cartOf(user)).toEqual({ version: 1, lines });
    const turned = lines.toReversed();
    expect(await user.call("saveCart", { body: { version: 1, lines: turned } })).toMatchObject({
      version: 2,
    });
    expect((await cartOf(user)).lines).toEqual(turned);
    const stale = await user.send("saveCart", { body: { version: 1, lines: [] } });
    expect([stale.status, stale.body.present]).toEqual([409, { version: 2, lines: turned }]);
    expect(await user.call("saveCart", { body: { version: 2, lines: [] } })).toEqual({ version: 3 });
  });

  test("of two devices that save concurrently, one is refused", async () => {
    const user = await register(store);
    const save = (quantity: number) =>
      user.send("saveCart", { body: { version: 0, lines: [{ productId: wrench._id, quantity }] } });
    const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(save));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await cartOf(user)).version).toBe(1);
  });

  test("is merged: the larger quantity is kept and reported", async () => {
    const user = await register(store);
    const lines = [
      { productId: wrench._id, quantity: 20 },
      { productId: grinder._id, quantity: 50 },
    ];
    await user.call("saveCart", { body: { version: 0, lines } });
    const added = [
      { productId: grinder._id, quantity: 10 },
      { productId: wrench._id, quantity: 200, price: 119 },
    ];
    const merged = await user.call("mergeCart", { body: { lines: added } });
    expect(merged.raised).toEqual([{ productId: wrench._id, from: 20, to: 200 }]);
    expect(merged.lines).toEqual([added[1], lines[1]]);
    expect(await cartOf(user)).toEqual({ version: 2, lines: merged.lines });
  });

  test.each([
    [{ productId: randomUUID(), quantity: 1 }, "lines.0.productId"],
    [{ productId: "x", quantity: 1 }, "lines.0.productId"],
    [{ quantity: 0 }, "lines.0.quantity"],
    [{ quantity: -5 }, "lines.0.quantity"],
    [{ quantity: 1.5 }, "lines.0.quantity"],
    [{ quantity: 1e9 }, "lines.0.quantity"],
    [{ quantity: "12abc" }, "lines.0.quantity"],
    [{ quantity: 1, price: -1 }, "lines.0.price"],
  ])("refuses %o", async (line, field) => {
    const lines = [{ productId: wrench._id, ...line }];
    const before = await cartOf(buyer);
    for (const name of ["saveCart", "mergeCart"] as const) {
      const { status, body } = await buyer.send(name, { body: { version: before.version, lines } });
      expect([status, Object.keys(body.fields)]).toEqual([422, [field]]);
    }
    expect(await cartOf(buyer)).toEqual(before);
  });

  test("refuses a product twice, and 5,001 lines", async () => {
    const line = { productId: wrench._id, quantity: 20 };
    const capitals = { ...line, productId: wrench._id.toUpperCase() };
    const twice = await buyer.send("saveCart", { body: { version: 0, lines: [line, capitals] } });
    expect([twice.status, twice.body.fields]).toEqual([
      422,
      { "lines.1.productId": "This tool is on another line already." },
    ]);
    const many = Array.from({ length: 5001 }, () => ({ productId: randomUUID(), quantity: 1 }));
    const full = await buyer.send("saveCart", { body: { version: 0, lines: many } });
    expect([full.status, full.body.fields.lines]).toEqual([422, "An order has at most 5,000 lines."]);
  });

  test("keeps a product that is no longer sold", async () => {
    const user = await register(store);
    const product = await addProduct(admin);
    const lines = [{ productId: product._id, quantity: 10 }];
    await user.call("saveCart", { body: { version: 0, lines } });
    await editProduct(admin, product, { minimum_order: 50 });
    await admin.call("deleteProduct", { params: { id: product._id } });
    expect((await cartOf(user)).lines).toEqual(lines);
  });

  test("is part of the account's data", async () => {
    const user = await register(store);
    const lines = [{ productId: wrench._id, quantity: 20, price: 129 }];
    await user.call("saveCart", { body: { version: 0, lines } });
    expect((await user.call("downloadData", {})).cart).toEqual(lines);
  });

  test("is limited by the database too", async () => {
    const user = await register(store);
    const line = { productId: wrench._id, quantity: 20 };
    await user.call("saveCart", { body: { version: 0, lines: [line] } });
    const set = (assignment: string) =>
      store.pool.query(
        `UPDATE shop.cart_line SET ${assignment} WHERE user_id = (SELECT id FROM shop.user WHERE email = $1)`,
        [user.email],
      );
    for (const wrong of [
      "quantity = 0",
      "quantity = 1000001",
      "position = 5001",
      "position = 0",
      "price_cents = 0",
    ])
      await expect(set(wrong)).rejects.toThrow(/check constraint/);
    await expect(set("product_id = gen_random_uuid()")).rejects.toThrow(/foreign key/);
  });
});
