import { afterAll, beforeAll, expect, test } from "vitest";
import { expectConsistentStore } from "../../harness/consistency.ts";
import { addProduct, payFor, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(() => store.stop());

test("a purchase goes from unpaid to paid to shipped, and its buyer sees each step", async () => {
  const product = await addProduct(admin);
  const buyer = await register(store);
  const current = async () => {
    const [purchase] = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
    return purchase;
  };
  const purchase = await placeFor(buyer, product, 12);
  expect(purchase).toMatchObject({ status: "unpaid", price: 12.5, total: 150, purchaseQuantity: 12 });
  expect(await current()).toEqual(purchase);
  const transactionId = await payFor(store, buyer, purchase);
  expect(await current()).toMatchObject({ _id: purchase._id, status: "paid", transactionId });
  expect(await admin.call("shipPurchase", { params: { id: purchase._id } })).toEqual({ modifiedCount: 1 });
  expect(await current()).toMatchObject({ status: "shipped", transactionId });
  expect(await buyer.call("findProduct", { params: { id: product._id } })).toMatchObject({ quantity: 988 });
  await expectConsistentStore(store.pool);
});
