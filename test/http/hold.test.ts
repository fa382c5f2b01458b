/** How long an unpaid order keeps its stock: the time in every response about it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { addProduct, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

const HOUR_MS = 3_600_000;

describe.each([
  { name: "of 168 hours, the default", environment: {}, hours: 168 },
  { name: "of 5 hours", environment: { UNPAID_HOLD_HOURS: "5" }, hours: 5 },
  { name: "that never ends", environment: { UNPAID_HOLD_HOURS: "0" }, hours: 0 },
])("a hold $name", ({ environment, hours }) => {
  let store: TestStore;
  let admin: SignedIn;
  let buyer: SignedIn;
  let product: Product;
  beforeAll(async () => {
    store = await openStore({ environment });
    admin = await adminOf(store);
    buyer = await register(store);
    product = await addProduct(admin);
  });
  afterAll(() => store.stop());

  test("is in every response about an unpaid order, and not after payment", async () => {
    const placed = await placeFor(buyer, product);
    const params = { id: placed._id };
    const responses = async () => [
      await buyer.call("findOrder", { params }),
      await admin.call("findOrder", { params }),
      await buyer.call("findPayment", { params }),
      (await buyer.call("listPurchasesOf", { params: { email: buyer.email } }))[0],
      (await admin.call("listPurchases", {}))[0],
      (await admin.call("searchPurchases", { query: {} })).orders[0],
      (await buyer.call("downloadData", {})).orders[0],
    ];
    const until = hours ? new Date(Date.parse(placed.placedAt) + hours * HOUR_MS).toISOString() : undefined;
    expect(placed.keptUntil).toBe(until);
    for (const response of await responses()) expect(response?.keptUntil).toBe(until);
    await payFor(store, buyer, placed);
    for (const response of await responses()) {
      expect(response?.status).toBe("paid");
      expect(response?.keptUntil).toBeUndefined();
    }
  });
});
