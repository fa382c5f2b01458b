/** Lists: plain arrays, at most a hundred rows by default, the next page in the Link header. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallName } from "../../api/contract.ts";
import { type Client, replyOf } from "../harness/client.ts";
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
  const { _id: product } = await addProduct(admin, { quantity: 100_000 });
  await store.pool.query(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
     SELECT 'Tool ' || n, $1, 1250, 0, 10, $2 FROM generate_series(1, 110) n`,
    [drill.picture, drill.description],
  );
  await store.pool.query(
    "INSERT INTO shop.review (name, rating, description) SELECT 'N' || n, 4, 'x' FROM generate_series(1, 105) n",
  );
  await store.pool.query(
    "INSERT INTO shop.user (id, email, name) SELECT uuidv7(), 'u' || n || '@buyers.example', 'U' FROM generate_series(1, 105) n",
  );
  await Promise.all(
    Array.from({ length: 103 }, () =>
      buyer.call("placePurchase", { body: { productId: product, purchaseQuantity: 10, address: "Unit 6" } }),
    ),
  );
});
afterAll(() => store.stop());

const lists: [CallName, Record<string, string>][] = [
  ["listProducts", {}],
  ["listReviews", {}],
  ["listPurchases", {}],
  ["listPurchasesOf", { email: "mine" }],
  ["listUsers", {}],
];
const known = (row: { _id?: string; email: string }) => row._id ?? row.email;

describe.each(lists)("%s", (name, named) => {
  const paramsOf = () => (named.email ? { email: buyer.email } : {});

  test("responds with an array of a hundred rows and a cursor", async () => {
    const { body, headers } = await admin.send(name, { params: paramsOf() });
    expect(body).toHaveLength(100);
    expect(headers.get("link")).toMatch(/^<\/[^>]+cursor=[^>]+>; rel="next"$/);
  });

  test("returns every row once when paged through", async () => {
    const { body: all, headers } = await admin.send(name, { params: paramsOf(), query: { limit: 1000 } });
    expect(headers.get("link")).toBeNull();
    expect(all.length).toBeGreaterThan(100);
    const rows = await follow(admin, name, paramsOf());
    expect(rows.map(known)).toEqual(all.map(known));
    expect(new Set(rows.map(known)).size).toBe(rows.length);
  });

  test("returns as many rows as requested", async () => {
    expect((await admin.send(name, { params: paramsOf(), query: { limit: 3 } })).body).toHaveLength(3);
  });
});

/** All rows, following the Link headers of pages of 17. */
async function follow(client: Client, name: CallName, params: Record<string, string>) {
  const rows: { _id?: string; email: string }[] = [];
  let { body, headers } = await client.send(name, { params, query: { limit: 17 } });
  for (;;) {
    rows.push(...body);
    const next = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1];
    if (!next) return rows;
    ({ body, headers } = await replyOf(await client.fetch(next)));
  }
}

test.each(["listProducts", "listReviews", "listPurchases"] as const)(
  "%s refuses a cursor that is not one of its own",
  async (name) => {
    const reply = await admin.send(name, { query: { cursor: "somewhere" } });
    expect(reply).toMatchObject({ status: 422, body: { fields: { cursor: expect.any(String) } } });
  },
);
