/** POST /purchase as in section 7: a literal body without a product's id; its money is never trusted. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../harness/client.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { addProduct, drill } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
});
afterAll(async () => {
  await expectConsistentStore(store.pool);
  await store.stop();
});

/** The body of section 7, for ten pieces of `productName` at $12.50. */
function literal(productName: string, change: object = {}) {
  return {
    name: buyer.name,
    email: buyer.email,
    address: "Unit 6, Canal Yard",
    phone: "555 0100",
    purchaseQuantity: 10,
    productName,
    picture: drill.picture,
    price: 12.5,
    total: 125,
    status: "unpaid",
    ...change,
  };
}

describe("the literal body", () => {
  test("buys the only product of that name", async () => {
    const { _id: productId } = await addProduct(admin, { name: "Literal drill" });
    const purchase = await buyer.call("placePurchase", { body: literal("Literal drill") as never });
    expect(purchase).toMatchObject({ _id: expect.any(String), productId, total: 125, status: "unpaid" });
  });

  test("buys with the session's cookie alone, as the specification sends no token", async () => {
    await addProduct(admin, { name: "Cookie drill" });
    const withCookie = clientOf(store, { cookie: buyer.cookie });
    const reply = await withCookie.send("placePurchase", { body: literal("Cookie drill") });
    expect(reply).toMatchObject({ status: 200, body: { email: buyer.email } });
  });

  test("is refused with the cookie alone from another site", async () => {
    await addProduct(admin, { name: "Foreign drill" });
    const withCookie = clientOf(store, { cookie: buyer.cookie });
    for (const headers of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
      const reply = await withCookie.send(
        "placePurchase",
        { body: literal("Foreign drill") },
        headers as never,
      );
      expect(reply).toMatchObject({
        status: 403,
        body: { detail: "This request came from another site and was refused." },
      });
    }
  });

  test("is refused if no product has that name", async () => {
    const reply = await buyer.send("placePurchase", { body: literal("No such drill") });
    expect(reply).toMatchObject({ status: 422, body: { fields: { productName: expect.any(String) } } });
  });

  test("distinguishes products of the same name by picture and price", async () => {
    await addProduct(admin, { name: "Twin drill" });
    const { _id: productId } = await addProduct(admin, {
      name: "Twin drill",
      price: 14,
      picture: "/tools/other.svg",
    });
    const body = literal("Twin drill", { picture: "/tools/other.svg", price: 14, total: 140 });
    expect(await buyer.call("placePurchase", { body: body as never })).toMatchObject({ productId });
  });

  test("is refused when two products match", async () => {
    await addProduct(admin, { name: "Same drill" });
    await addProduct(admin, { name: "Same drill" });
    const reply = await buyer.send("placePurchase", { body: literal("Same drill") });
    expect(reply).toMatchObject({
      status: 422,
      body: {
        fields: { productName: "Several tools have this product name. Send the productId of the tool." },
      },
    });
  });

  test("is refused with another status than unpaid", async () => {
    await addProduct(admin, { name: "Status drill" });
    const reply = await buyer.send("placePurchase", { body: literal("Status drill", { status: "paid" }) });
    expect(reply).toMatchObject({ status: 422, body: { fields: { status: expect.any(String) } } });
  });
});

describe("money", () => {
  test("of another price is refused with both prices", async () => {
    const { _id: productId } = await addProduct(admin);
    const reply = await buyer.send("placePurchase", {
      body: { ...literal("x"), productId, price: 11, total: 110 },
    });
    expect(reply).toMatchObject({ status: 409, body: { current: { price: 12.5, total: 125 } } });
    expect(reply.body.detail).toContain("$11.00");
    expect(reply.body.detail).toContain("$12.50");
  });

  test("of another total is refused with both totals", async () => {
    const { _id: productId } = await addProduct(admin);
    const reply = await buyer.send("placePurchase", { body: { ...literal("x"), productId, total: 1 } });
    expect(reply).toMatchObject({ status: 409, body: { current: { total: 125 } } });
    expect(reply.body.detail).toContain("$1.00");
    expect(reply.body.detail).toContain("$125.00");
  });

  test("multiplied in floating point is accepted", async () => {
    const { _id: productId, name } = await addProduct(admin, {
      name: "Hair drill",
      price: 1.1,
      minimum_order: 3,
    });
    const total = 1.1 * 3;
    expect(total).not.toBe(3.3);
    const place = async (found: { productId: string } | { productName: string }) => {
      const body = { ...found, purchaseQuantity: 3, address: "Unit 6", price: 1.1 + 2e-16, total };
      expect(await buyer.call("placePurchase", { body })).toMatchObject({ price: 1.1, total: 3.3 });
    };
    await place({ productId });
    expect(await buyer.call("createPaymentIntent", { body: { total } })).toHaveProperty("clientSecret");
    await place({ productName: name });
  });

  test("that differs by more than rounding is refused", async () => {
    const { _id: productId } = await addProduct(admin, { price: 1.1, minimum_order: 3 });
    const body = { productId, purchaseQuantity: 3, address: "Unit 6", price: 1.1, total: 3.300002 };
    const reply = await buyer.send("placePurchase", { body });
    expect(reply).toMatchObject({ status: 409, body: { current: { total: 3.3 } } });
    expect(reply.body.detail).toContain("$3.300002");
    const expensive = await buyer.send("createPaymentIntent", { body: { total: 3.300002 } });
    expect(expensive).toMatchObject({
      status: 422,
      body: { fields: { total: "Use at most two decimals." } },
    });
    const wrong = { ...drill, price: 1.1 * 3 };
    expect(await admin.send("addProduct", { body: wrong })).toMatchObject({
      status: 422,
      body: { fields: { price: "Use at most two decimals." } },
    });
  });

  test("that was not sent is computed", async () => {
    const { _id: productId } = await addProduct(admin, { price: 0.07 });
    const body = { productId, purchaseQuantity: 29, address: "Unit 6" };
    expect(await buyer.call("placePurchase", { body })).toMatchObject({ price: 0.07, total: 2.03 });
  });

  test("of the minimum order must be within the card limits when a product is saved", async () => {
    for (const [price, minimum_order, words] of [
      [129_500, 12, "The smallest order would cost $1,554,000.00."],
      [0.07, 7, "The smallest order would cost $0.49."],
    ] as const) {
      const refused = { status: 422, body: { fields: { minimum_order: expect.stringContaining(words) } } };
      const wrong = { ...drill, price, minimum_order };
      expect(await admin.send("addProduct", { body: wrong })).toMatchObject(refused);
      const { _id: id, version, quantity: seenQuantity } = await addProduct(admin);
      const body = { ...wrong, version, seenQuantity };
      expect(await admin.send("editProduct", { params: { id }, body })).toMatchObject(refused);
    }
    await addProduct(admin, { price: 129_500, minimum_order: 7 });
    await addProduct(admin, { price: 0.07, minimum_order: 8 });
  });

  test("above the card limit is refused", async () => {
    const expensive = await addProduct(admin, { price: 999_999.99, minimum_order: 1 });
    const cheap = await addProduct(admin, { price: 0.01, minimum_order: 50 });
    // an older product, from before the minimum order had to be payable
    await store.pool.query("UPDATE shop.product SET minimum_order = 1 WHERE id = $1", [cheap._id]);
    for (const [productId, purchaseQuantity] of [[expensive._id, 2] as const, [cheap._id, 49] as const]) {
      const reply = await buyer.send("placePurchase", {
        body: { productId, purchaseQuantity, address: "Unit 6" },
      });
      expect(reply).toMatchObject({
        status: 422,
        body: { fields: { purchaseQuantity: expect.any(String) } },
      });
    }
    const least = { productId: cheap._id, purchaseQuantity: 50, address: "Unit 6" };
    expect(await buyer.call("placePurchase", { body: least })).toMatchObject({ total: 0.5 });
    const most = { productId: expensive._id, purchaseQuantity: 1, address: "Unit 6" };
    expect(await buyer.call("placePurchase", { body: most })).toMatchObject({ total: 999_999.99 });
  });
});

describe("the buyer", () => {
  test("may have a name in any script", async () => {
    const { _id: productId } = await addProduct(admin, { name: "Bohrmaschine für Außen 鑽 🛠️" });
    const body = {
      productId,
      purchaseQuantity: 10,
      address: 'Straße 7, 東京都 😀 "O\'Neil" \\ <b>',
      phone: "☎ 1",
    };
    const { _id } = await buyer.call("placePurchase", { body });
    const mine = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
    expect(mine.find((purchase) => purchase._id === _id)).toMatchObject({
      address: body.address,
      phone: "☎ 1",
      productName: "Bohrmaschine für Außen 鑽 🛠️",
    });
  });

  test("cannot place an order under another user's email", async () => {
    const { _id: productId } = await addProduct(admin);
    const body = { ...literal("x"), productId, email: "else@buyers.example" };
    const reply = await buyer.send("placePurchase", { body });
    expect(reply).toMatchObject({
      status: 403,
      body: { detail: "An order can only be placed with your own email." },
    });
  });

  test("has the name of the account, whatever was sent", async () => {
    const { _id: productId } = await addProduct(admin);
    const body = { ...literal("x"), productId, name: "Somebody Else" };
    expect(await buyer.call("placePurchase", { body: body as never })).toMatchObject({ name: buyer.name });
  });

  test("gets a clear error when the product is no longer sold", async () => {
    const { _id: productId } = await addProduct(admin);
    await admin.call("deleteProduct", { params: { id: productId } });
    const reply = await buyer.send("placePurchase", { body: { ...literal("x"), productId } });
    expect(reply).toMatchObject({ status: 422, body: { fields: { productId: expect.any(String) } } });
  });
});
