/** The messages of section 5, letter for letter, as calls return them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { addProduct, drill, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let product: Product;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store);
  product = await addProduct(admin, { minimum_order: 10, quantity: 40 });
});
afterAll(() => store.stop());

const unset = undefined;

test.each([
  [{ address: unset }, "address", "Address is required"],
  [{ address: "" }, "address", "Address is required"],
  [{ address: "   " }, "address", "Address is required"],
  [{ purchaseQuantity: 9 }, "purchaseQuantity", "You have to purchase at least 10 products"],
  [{ purchaseQuantity: 41 }, "purchaseQuantity", "Purchase qauntity is maximum 40"],
  [{ purchaseQuantity: 1_000_000 }, "purchaseQuantity", "Purchase qauntity is maximum 40"],
  [{ purchaseQuantity: 0 }, "purchaseQuantity", "You have to purchase at least 10 products"],
  [{ purchaseQuantity: -1 }, "purchaseQuantity", "You have to purchase at least 10 products"],
  [
    { purchaseQuantity: -(2 ** 40), price: 12.5 },
    "purchaseQuantity",
    "You have to purchase at least 10 products",
  ],
  [{ purchaseQuantity: 2_000_000 }, "purchaseQuantity", "Purchase qauntity is maximum 40"],
  [{ purchaseQuantity: 2 ** 31, price: 12.5 }, "purchaseQuantity", "Purchase qauntity is maximum 40"],
  [
    { purchaseQuantity: Number.MAX_SAFE_INTEGER, price: 12.5 },
    "purchaseQuantity",
    "Purchase qauntity is maximum 40",
  ],
  [{ purchaseQuantity: 1e300 }, "purchaseQuantity", "Enter a whole number."],
  [{ purchaseQuantity: unset }, "purchaseQuantity", "Enter a number."],
  [{ purchaseQuantity: "12" }, "purchaseQuantity", "Enter a number."],
  [{ purchaseQuantity: 12.5 }, "purchaseQuantity", "Enter a whole number."],
  [{ email: "x@y" }, "email", "Provide a valid email"],
])("a purchase with %j is refused at %s: %s", async (change, field, message) => {
  const body = { address: "Unit 6", purchaseQuantity: 10, productId: product._id, ...change };
  const reply = await buyer.send("placePurchase", { body });
  expect(reply).toMatchObject({ status: 422, body: { detail: message, fields: { [field]: message } } });
});

test.each([1, 10, 40])(
  "a quantity of %i is judged by the minimum and the stock",
  async (purchaseQuantity) => {
    const body = {
      address: "Unit 6",
      purchaseQuantity,
      productId: (await addProduct(admin, { quantity: 40 }))._id,
    };
    const reply = await buyer.send("placePurchase", { body });
    expect(reply.status).toBe(purchaseQuantity < 10 ? 422 : 200);
  },
);

test("the phone is optional", async () => {
  const body = { address: "Unit 6", purchaseQuantity: 10, productId: (await addProduct(admin))._id };
  expect(await buyer.call("placePurchase", { body })).toMatchObject({ phone: "" });
});

test("a phone of null counts as missing", async () => {
  const body = {
    address: "Unit 6",
    purchaseQuantity: 10,
    productId: (await addProduct(admin))._id,
    phone: null,
  };
  expect(await buyer.send("placePurchase", { body })).toMatchObject({ status: 200, body: { phone: "" } });
});

test.each([
  [{ rating: unset }, "rating", "Rating is required"],
  [{ rating: null }, "rating", "Rating is required"],
  [{ rating: -0.5 }, "rating", "review cam't be a negative value"],
  [{ rating: 5.01 }, "rating", "Maximum 5 Star review available"],
  [{ rating: 0.5 }, "rating", "Rating must be from 1 to 5."],
  [{ description: unset }, "description", "Review is required"],
  [{ description: " \n " }, "description", "Review is required"],
])("a review with %j is refused at %s: %s", async (change, field, message) => {
  const reply = await buyer.send("addReview", { body: { rating: 4, description: "Good.", ...change } });
  expect(reply).toMatchObject({ status: 422, body: { detail: message, fields: { [field]: message } } });
});

test.each([1, 3.75, 5])("a rating of %d is accepted", async (rating) => {
  expect((await buyer.send("addReview", { body: { rating, description: "Good." } })).status).toBe(200);
});

test.each([
  [{ name: unset }, "name", "Name is Required"],
  [{ price: unset }, "price", "Price is required"],
  [{ quantity: unset }, "quantity", "Product Quantity is required"],
  [{ minimum_order: unset }, "minimum_order", "Minimum Order Number is required"],
  [{ description: unset }, "description", "Description is required"],
  [{ picture: unset }, "picture", "Product picture is required"],
  [{ name: " " }, "name", "Name is Required"],
  [{ description: "" }, "description", "Description is required"],
  [{ picture: "" }, "picture", "Product picture is required"],
  [{ price: 0 }, "price", "Price must be at least $0.01."],
  [{ price: 1.005 }, "price", "Use at most two decimals."],
  [{ price: 1_000_000 }, "price", "Price must be at most $999,999.99."],
  [{ quantity: -1 }, "quantity", "Enter 0 or more."],
  [{ quantity: 1.5 }, "quantity", "Enter a whole number."],
  [{ minimum_order: 0 }, "minimum_order", "Enter 1 or more."],
  [{ dimensions: { width: 0, height: 1 } }, "dimensions.width", "Some of the input is not valid."],
  [{ dimensions: { width: 1e6, height: 1 } }, "dimensions.width", "Enter 100000 or less."],
  [{ picture: "javascript:alert(1)" }, "picture", "Enter a web address or a path on this site."],
  [{ picture: "//elsewhere.example/x.png" }, "picture", "Enter a web address or a path on this site."],
])("a tool with %j is refused at %s: %s", async (change, field, message) => {
  const reply = await admin.send("addProduct", { body: { ...drill, ...change } });
  expect(reply).toMatchObject({ status: 422, body: { detail: message, fields: { [field]: message } } });
});

test.each([
  [unset, "Enter a number."],
  [0, "Enter 0.01 or more."],
  [0.015, "Use at most two decimals."],
  [1_000_000, "This amount is above the limit of one card payment."],
])(
  "a payment of %j is refused with a message about amounts, not about prices: %s",
  async (total, message) => {
    const body = { total } as { total: number };
    const reply = await buyer.send("createPaymentIntent", { body });
    expect(reply).toMatchObject({ status: 422, body: { detail: message, fields: { total: message } } });
  },
);

test.each([
  [0, "Enter 0.01 or more."],
  [-1, "Enter 0.01 or more."],
  [1_000_000, "This amount is above the limit of one card payment."],
])(
  "a refund of %j is refused with a message about amounts, not about prices: %s",
  async (amount, message) => {
    const { _id } = await placeFor(buyer, await addProduct(admin));
    const reply = await admin.send("refundPurchase", {
      params: { id: _id },
      body: { amount, reason: "As agreed." },
    });
    expect(reply).toMatchObject({ status: 422, body: { detail: message, fields: { amount: message } } });
  },
);

test("an empty product lists all missing fields at once", async () => {
  const { body } = await admin.send("addProduct", { body: {} });
  expect(body.fields).toEqual({
    name: "Name is Required",
    price: "Price is required",
    quantity: "Product Quantity is required",
    minimum_order: "Minimum Order Number is required",
    description: "Description is required",
    picture: "Product picture is required",
  });
});

test.each([{}, { education: "a", phone: "b" }, { role: "admin" }])(
  "a profile update needs exactly one field, and %j is refused",
  async (body) => {
    const reply = await buyer.send("updateProfile", { params: { email: buyer.email }, body });
    expect(reply).toMatchObject({
      status: 422,
      body: { detail: "Send one of education, location, phone or linkedin." },
    });
  },
);

test("a profile field cannot be blank", async () => {
  const reply = await buyer.send("updateProfile", { params: { email: buyer.email }, body: { phone: " " } });
  expect(reply).toMatchObject({ status: 422, body: { fields: { phone: expect.any(String) } } });
});
