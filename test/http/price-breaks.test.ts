/** Order multiples and price breaks through the calls: adding, editing, pricing and ordering. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { addProduct, editProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let wrench: Product;

const breaks = [
  { quantity: 100, price: 119 },
  { quantity: 500, price: 109 },
];
const terms = { price: 129, minimum_order: 20, order_multiple: 10, quantity: 1240, price_breaks: breaks };

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
  wrench = await addProduct(admin, terms);
});
afterAll(() => store.stop());

const place = (more: object) =>
  buyer.send("placePurchase", { body: { address: "Unit 6, Canal Yard", productId: wrench._id, ...more } });

describe("a product with price breaks", () => {
  test("has them in responses; without breaks the member is missing", async () => {
    expect(wrench).toMatchObject({ order_multiple: 10, price_breaks: breaks });
    const plain = await addProduct(admin);
    expect(Object.keys(plain)).not.toContain("order_multiple");
    expect(Object.keys(plain)).not.toContain("price_breaks");
  });

  test.each([
    [{ minimum_order: 25 }, { minimum_order: "Enter a multiple of 10." }],
    [{ order_multiple: 0 }, { order_multiple: "Enter 1 or more." }],
    [
      { price_breaks: [{ quantity: 20, price: 119 }] },
      { price_breaks: "The price from 20 pieces must start above 20." },
    ],
    [
      { price_breaks: [{ quantity: 100, price: 129 }] },
      { price_breaks: "The price from 100 pieces must be lower than the one before." },
    ],
    [
      { price_breaks: Array.from({ length: 7 }, (_, at) => ({ quantity: 100 + at, price: 100 - at })) },
      { price_breaks: "A tool has at most 6 price breaks." },
    ],
    [
      { price_breaks: [{ quantity: 100.5, price: 119 }] },
      { "price_breaks.0.quantity": "Enter a whole number." },
    ],
  ])("is refused with %o", async (wrong, fields) => {
    const body = {
      name: "Wrench",
      description: "A wrench.",
      picture: "/tools/wrench.svg",
      ...terms,
      ...wrong,
    };
    const response = await admin.send("addProduct", { body });
    expect([response.status, response.body.fields]).toEqual([422, fields]);
  });

  test("has its changes in the audit log", async () => {
    const product = await addProduct(admin, terms);
    await editProduct(admin, product, { price_breaks: [{ quantity: 200, price: 99.5 }], order_multiple: 20 });
    const now = await admin.call("findProduct", { params: { id: product._id } });
    expect(now).toMatchObject({ order_multiple: 20, price_breaks: [{ quantity: 200, price: 99.5 }] });
    await editProduct(admin, now, { price_breaks: undefined, order_multiple: undefined });
    const { price_breaks, order_multiple } = await admin.call("findProduct", { params: { id: product._id } });
    expect([price_breaks, order_multiple]).toEqual([undefined, undefined]);
  });
});

describe("the price of a quantity", () => {
  const priceOf = (quantity: unknown) =>
    fetch(`${store.url}/products/${wrench._id}/price?quantity=${quantity}`).then(async (response) => ({
      status: response.status,
      body: await response.json(),
    }));

  test.each([
    [20, { quantity: 20, price: 129, total: 2580, next: { quantity: 100, price: 119, total: 11_900 } }],
    [
      460,
      {
        quantity: 460,
        price: 119,
        total: 54_740,
        break: 100,
        next: { quantity: 500, price: 109, total: 54_500 },
        cheaper: { quantity: 500, total: 54_500, saves: 240 },
      },
    ],
    [500, { quantity: 500, price: 109, total: 54_500, break: 500 }],
  ])("%d", async (quantity, expected) => {
    expect(await priceOf(quantity)).toEqual({ status: 200, body: expected });
  });

  test.each([
    [10, "You have to purchase at least 20 products"],
    [465, "Sold in multiples of 10. Take 460 or 470."],
    [1e9, /1240/],
    [-5, "You have to purchase at least 20 products"],
    [1.5, "Enter a whole number."],
    ["12abc", /number/],
    ["", /./],
  ])("%s is refused", async (quantity, message) => {
    const { status, body } = await priceOf(quantity);
    expect(status).toBe(422);
    expect(body.fields.quantity).toMatch(message);
  });

  test("of an unknown product is 404", async () => {
    const response = await fetch(
      `${store.url}/products/00000000-0000-7000-8000-000000000000/price?quantity=1`,
    );
    expect(response.status).toBe(404);
  });
});

describe("an order", () => {
  test.each([
    [20, 129, undefined],
    [100, 119, 129],
    [500, 109, 129],
  ])("of %d pieces is charged $%d each", async (purchaseQuantity, price, listPrice) => {
    const { body } = await place({ purchaseQuantity });
    expect(body).toMatchObject({ price, total: price * purchaseQuantity });
    expect(body.listPrice).toBe(listPrice);
    expect((await place({ purchaseQuantity, price, total: price * purchaseQuantity })).status).toBe(200);
    await admin.call("editProduct", {
      params: { id: wrench._id },
      body: await editOf({ quantity: 1240 }),
    });
  });

  test("at the list price is refused with the lower price that applies", async () => {
    const { status, body } = await place({ purchaseQuantity: 100, price: 129 });
    expect([status, body.current]).toEqual([409, { price: 119, total: 11_900 }]);
  });

  test("between two multiples is refused", async () => {
    const { status, body } = await place({ purchaseQuantity: 25 });
    expect([status, body.fields]).toEqual([
      422,
      { purchaseQuantity: "Sold in multiples of 10. Take 20 or 30." },
    ]);
  });

  test("by name and price matches the price of its quantity", async () => {
    const two = [
      await addProduct(admin, { ...terms, name: "Twin wrench" }),
      await addProduct(admin, {
        ...terms,
        name: "Twin wrench",
        price: 128,
        price_breaks: [{ quantity: 100, price: 118 }],
      }),
    ];
    const body = { address: "Unit 6", productName: "Twin wrench", purchaseQuantity: 100, price: 118 };
    expect(await buyer.call("placePurchase", { body })).toMatchObject({
      productId: two[1]?._id,
      total: 11_800,
    });
  });
});

async function editOf(changes: object) {
  const { _id, version = 1, ...form } = await admin.call("findProduct", { params: { id: wrench._id } });
  return { ...form, ...changes, version, seenQuantity: form.quantity };
}
