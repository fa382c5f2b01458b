/** Idempotency-Key: the same request takes effect once, whatever is lost on the way. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "../../../api/call.ts";
import { type CallName, contract } from "../../../api/contract.ts";
import type { Queryable } from "../../../database/client.ts";
import { deleteOldKeys } from "../../../shop/idempotency/run-once.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { expectConsistentStore, fingerprint } from "../../harness/consistency.ts";
import { waitingStatements } from "../../harness/database.ts";
import { addProduct, disablePolling, dropWebhooks, payFor, placeFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, logIn, register, type SignedIn } from "../../harness/users.ts";
import { sampleOf, waitForImport } from "../../http/samples.ts";

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

const under = (key: string) => ({ "Idempotency-Key": key });
const newKey = () => crypto.randomUUID();

async function purchaseBody(quantity = 10) {
  const product = await addProduct(admin);
  return { productId: product._id, purchaseQuantity: quantity, address: "Unit 6, Canal Yard" };
}

test("the same key, input and user get the same response, and one purchase", async () => {
  const body = await purchaseBody();
  const key = newKey();
  const first = await buyer.send("placePurchase", { body }, under(key));
  const second = await buyer.send("placePurchase", { body }, under(key));
  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 200, body: first.body });
  const { quantity } = await buyer.call("findProduct", { params: { id: body.productId } });
  expect(quantity).toBe(990);
});

test("another input with the same key is refused", async () => {
  const body = await purchaseBody();
  const key = newKey();
  await buyer.send("placePurchase", { body }, under(key));
  const other = await buyer.send("placePurchase", { body: { ...body, purchaseQuantity: 11 } }, under(key));
  expect(other).toMatchObject({ status: 422, body: { detail: refusals.otherRequest } });
});

test("another user's same key is another request", async () => {
  const body = await purchaseBody();
  const key = newKey();
  const other = await register(store);
  const mine = await buyer.send("placePurchase", { body }, under(key));
  const theirs = await other.send("placePurchase", { body }, under(key));
  expect(theirs.body._id).not.toBe(mine.body._id);
});

test("a refusal is saved too: stock that arrived meanwhile changes nothing", async () => {
  const body = await purchaseBody(2000);
  const key = newKey();
  const first = await buyer.send("placePurchase", { body }, under(key));
  expect(first.status).toBe(422);
  await store.pool.query("UPDATE shop.product SET quantity = 3000 WHERE id = $1", [body.productId]);
  const second = await buyer.send("placePurchase", { body }, under(key));
  expect(second).toMatchObject({ status: 422, body: first.body });
  await store.pool.query("UPDATE shop.product SET quantity = 1000 WHERE id = $1", [body.productId]);
});

test("a key is deleted after 24 hours", async () => {
  const body = await purchaseBody();
  const key = newKey();
  const first = await buyer.send("placePurchase", { body }, under(key));
  await store.pool.query("UPDATE shop.request SET started_at = now() - interval '25 hours' WHERE key = $1", [
    key,
  ]);
  const second = await buyer.send("placePurchase", { body }, under(key));
  expect(second.status).toBe(200);
  expect(second.body._id).not.toBe(first.body._id);
});

test("keys of a day are deleted in several statements, and recent ones kept", async () => {
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO shop.request (person_id, key, digest, held_until, started_at)
     SELECT uuidv7(), 'old', '', now(), now() - CASE WHEN one = 1 THEN interval '23 hours' ELSE '25 hours' END
     FROM generate_series(1, 20_002) one RETURNING id`,
  );
  const deleted: (number | null)[] = [];
  const query = async (text: string) => {
    const result = await store.pool.query(text);
    deleted.push(result.rowCount);
    return result;
  };
  await deleteOldKeys({ query } as Queryable);
  expect(deleted.length).toBeGreaterThan(2);
  const { rows: remaining } = await store.pool.query("SELECT id FROM shop.request WHERE key = 'old'");
  expect(remaining).toEqual([rows[0]]);
});

/** Calls `run` while the product is locked, so that a request for it has claimed the key and waits. */
async function whileLocked(productId: string, run: () => Promise<void>) {
  const holder = await store.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM shop.product WHERE id = $1 FOR UPDATE", [productId]);
    await run();
  } finally {
    await holder.query("ROLLBACK");
    holder.release();
  }
}

// the job that deletes old keys may wait for the request too
const untilWaiting = () => expect.poll(() => waitingStatements(store.pool, "place_order")).toBe(1);

test("after 24 hours the old response is not replayed, also while the new request is running", async () => {
  const body = await purchaseBody();
  const key = newKey();
  const old = await buyer.send("placePurchase", { body }, under(key));
  await store.pool.query("UPDATE shop.request SET started_at = now() - interval '25 hours' WHERE key = $1", [
    key,
  ]);
  let first: ReturnType<typeof buyer.send> | undefined;
  await whileLocked(body.productId, async () => {
    first = buyer.send("placePurchase", { body }, under(key));
    await untilWaiting();
    const second = await buyer.send("placePurchase", { body }, under(key));
    expect(second).toMatchObject({ status: 409, body: { detail: refusals.requestRunning } });
  });
  const made = await first;
  expect(made?.status).toBe(200);
  expect(made?.body._id).not.toBe(old.body._id);
  expect((await buyer.send("placePurchase", { body }, under(key))).body).toEqual(made?.body);
});

test("two concurrent inputs with one key: one is placed, the other never", async () => {
  const body = await purchaseBody();
  for (let round = 0; round < 20; round += 1) {
    const key = newKey();
    const bodies = [body, { ...body, purchaseQuantity: 11 }];
    const send = (sent: typeof body) => buyer.send("placePurchase", { body: sent }, under(key));
    const replies = await Promise.all(bodies.map(send));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of replies) expect([200, 409, 422]).toContain(status);
    const again = await Promise.all(bodies.map(send));
    expect(again.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(again.findIndex(({ status }) => status === 200)).toBe(
      replies.findIndex(({ status }) => status === 200),
    );
  }
});

test("a key of one call is not a key of another, whichever came first", async () => {
  const body = await purchaseBody();
  const review = { body: { rating: 5, description: "Solid." } };
  const [one, other] = [newKey(), newKey()];
  expect((await buyer.send("placePurchase", { body }, under(one))).status).toBe(200);
  expect(await buyer.send("addReview", review, under(one))).toMatchObject({
    status: 422,
    body: { detail: refusals.otherRequest },
  });
  expect((await buyer.send("addReview", review, under(other))).status).toBe(200);
  expect(await buyer.send("placePurchase", { body }, under(other))).toMatchObject({
    status: 422,
    body: { detail: refusals.otherRequest },
  });
  const { quantity } = await buyer.call("findProduct", { params: { id: body.productId } });
  expect(quantity).toBe(990);
});

test("interrupted by a lost connection, a purchase is rolled back, and its key is free at once", async () => {
  const body = await purchaseBody();
  const key = newKey();
  await whileLocked(body.productId, async () => {
    const cut = buyer.send("placePurchase", { body }, under(key));
    await untilWaiting();
    await store.pool.query(
      // the server is shared with other test files
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, 'place_order') > 0`,
    );
    expect((await cut).status).toBe(503);
  });
  store.logs.expect(/terminating connection|terminated unexpectedly/);
  const counts = async () =>
    (
      await store.pool.query(
        `SELECT (SELECT count(*)::int FROM shop.purchase WHERE product_id = $1) AS purchases,
           (SELECT count(*)::int FROM shop.request WHERE key = $2) AS keys,
           (SELECT count(*)::int FROM shop.event e JOIN shop.purchase u ON u.id = e.purchase_id
            WHERE u.product_id = $1 AND e.what = 'placed') AS events`,
        [body.productId, key],
      )
    ).rows[0];
  expect(await counts()).toEqual({ purchases: 0, keys: 0, events: 0 });
  const first = await buyer.send("placePurchase", { body }, under(key));
  await Promise.all([1, 2, 3].map(() => buyer.send("placePurchase", { body }, under(key))));
  expect(await counts()).toEqual({ purchases: 1, keys: 1, events: 1 });
  const emails = async () =>
    (await store.outbox()).filter(({ text }) => text.includes(first.body._id)).length;
  await expect.poll(emails).toBe(1);
  await new Promise((done) => setTimeout(done, 1000));
  expect(await emails()).toBe(1);
});

test("twenty concurrent requests with one key are one purchase; those without its response get a 409", async () => {
  const body = await purchaseBody();
  const key = newKey();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => buyer.send("placePurchase", { body }, under(key))),
  );
  const placed = replies.filter(({ status }) => status === 200);
  expect(new Set(placed.map((reply) => reply.body._id)).size).toBe(1);
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    expect(reply).toMatchObject({ status: 409, body: { detail: refusals.requestRunning } });
    expect(reply.headers.get("retry-after")).toBe("1");
  }
  const { quantity } = await buyer.call("findProduct", { params: { id: body.productId } });
  expect(quantity).toBe(990);
});

test("a running call is not executed a second time", async () => {
  const body = await purchaseBody();
  const key = newKey();
  const holder = await store.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM shop.product WHERE id = $1 FOR UPDATE", [body.productId]);
  const first = buyer.send("placePurchase", { body }, under(key));
  await untilWaiting();
  const second = await buyer.send("placePurchase", { body }, under(key));
  expect(second).toMatchObject({ status: 409, body: { detail: refusals.requestRunning } });
  await holder.query("COMMIT");
  holder.release();
  expect((await first).status).toBe(200);
  expect((await buyer.send("placePurchase", { body }, under(key))).body).toEqual((await first).body);
});

test.each(["", "a b", "ä", "x".repeat(256)])("%j is not a key", async (key) => {
  const reply = await buyer.send(
    "placePurchase",
    { body: await purchaseBody() },
    under(encodeURI(key) === key ? key : "a\tb"),
  );
  expect(reply).toMatchObject({
    status: 422,
    body: { fields: { "Idempotency-Key": refusals.badRequestKey } },
  });
});

test("a password is not saved, not even as a digest, and the key does not apply", async () => {
  const key = newKey();
  const confirm = () => buyer.send("confirmAccount", { body: { password: buyer.password } }, under(key));
  expect(await confirm()).toMatchObject({ status: 200, body: { fresh: true } });
  await store.pool.query(
    `UPDATE identity.session SET "confirmedAt" = now() - interval '2 hours'
     WHERE "userId" = (SELECT id FROM shop.user WHERE email = $1)`,
    [buyer.email],
  );
  expect(await confirm()).toMatchObject({ status: 200, body: { fresh: true } });
  expect(await buyer.call("findAccount", {})).toMatchObject({ fresh: true });
  const { rowCount } = await store.pool.query("SELECT FROM shop.request WHERE key = $1", [key]);
  expect(rowCount).toBe(0);
});

const sample = (name: CallName) => sampleOf(name, { store, admin, owner: buyer, other: buyer });
const endOthers = async () => {
  await logIn(store, buyer);
  return sample("endOtherSessions");
};

describe("every call that writes returns the same a second time, and does nothing:", () => {
  // what the processor or a poll reports meanwhile would change the store
  beforeAll(async () => {
    await dropWebhooks(store);
    await disablePolling(store);
  });

  const writes = (Object.keys(contract) as CallName[]).filter((name) => {
    const { idempotency = "none" }: Call = contract[name];
    // afterwards no caller is left that would retry (decision 11)
    return idempotency !== "none" && name !== "deleteAccount";
  });
  test.each(writes)("%s", async (name) => {
    const call: Call = contract[name];
    const parts = await sample(name);
    const key = newKey();
    const send = () => (call.access === "admin" ? admin : buyer).send(name, parts, under(key));
    const first = await send();
    expect(first.status, JSON.stringify(first.body)).toBe(call.status ?? 200);
    if (first.status === 202) await waitForImport(admin, first.body._id);
    const before = await fingerprint(store.pool);
    const second = await send();
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(await fingerprint(store.pool)).toEqual(before);
  });
});

describe("interrupted between the effect and the response", () => {
  /** As after a kill: the effect exists, the key waits for a response that is never saved. */
  async function loseResponse(key: string) {
    await store.pool.query(
      "UPDATE shop.request SET answer = NULL, held_until = now() - interval '1 second' WHERE key = $1",
      [key],
    );
  }

  test("a refund is not repeated", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    await payFor(store, buyer, purchase);
    const parts = { params: { id: purchase._id }, body: { amount: 20, reason: "Two came damaged." } };
    const key = newKey();
    const first = await admin.send("refundPurchase", parts, under(key));
    await loseResponse(key);
    const second = await admin.send("refundPurchase", parts, under(key));
    expect(second).toMatchObject({ status: 200, body: first.body });
    const order = await buyer.call("findOrder", { params: { id: purchase._id } });
    expect(order.refunded).toBe(20);
  });

  test("the key repeats it after the clock was set back", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    await payFor(store, buyer, purchase);
    const parts = { params: { id: purchase._id }, body: { amount: 20, reason: "Two came damaged." } };
    const key = newKey();
    const first = await admin.send("refundPurchase", parts, under(key));
    await store.pool.query(
      "UPDATE shop.request SET answer = NULL, held_until = now() + interval '1 hour' WHERE key = $1",
      [key],
    );
    const second = await admin.send("refundPurchase", parts, under(key));
    expect(second).toMatchObject({ status: 200, body: first.body });
  });

  test.each([
    ["recordManualRefund", () => admin, () => sample("recordManualRefund"), { settled: true }],
    ["closeUser", () => admin, () => sample("closeUser"), { modifiedCount: 1 }],
    ["retryEmail", () => admin, () => sample("retryEmail"), { modifiedCount: 1 }],
    ["endSession", () => buyer, () => sample("endSession"), { deletedCount: 1 }],
    ["endOtherSessions", () => buyer, endOthers, { deletedCount: 1 }],
  ] as const)("of %s nothing is saved, and the key repeats it", async (name, who, make, expectedBody) => {
    await buyer.call("endOtherSessions", {});
    const parts = await make();
    const key = newKey();
    const before = await countWrites();
    await store.pool.query(
      `CREATE OR REPLACE FUNCTION shop.lose() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'the answer is lost'; END $$;
       CREATE TRIGGER drop_event BEFORE UPDATE OF answer ON shop.request FOR EACH ROW EXECUTE FUNCTION shop.lose()`,
    );
    const lost = await who().send(name, parts, under(key));
    await store.pool.query("DROP TRIGGER drop_event ON shop.request");
    store.logs.expect(/the answer is lost/);
    expect(lost.status).toBe(500);
    expect(await countWrites()).toEqual(before);
    expect(await who().send(name, parts, under(key))).toMatchObject({ status: 200, body: expectedBody });
    expect(await countWrites()).not.toEqual(before);
  });

  /** The rows that those calls change. */
  async function countWrites() {
    const { rows } = await store.pool.query(
      `SELECT (SELECT count(*) FROM shop.refund WHERE status = 'settled') AS settled,
         (SELECT count(*) FROM shop.user WHERE disabled_at IS NOT NULL) AS closed,
         (SELECT count(*) FROM identity.session) AS sessions,
         (SELECT count(*) FROM identity.account_event) AS events,
         (SELECT count(*) FROM graphile_worker._private_jobs WHERE run_at > now() + interval '1 hour') AS later`,
    );
    return rows[0];
  }

  test("a cancellation saves its response with its effect", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    const key = newKey();
    await store.pool.query(
      `CREATE FUNCTION shop.cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
       CREATE TRIGGER cut BEFORE UPDATE ON shop.request FOR EACH ROW
       WHEN (OLD.answer IS NOT NULL) EXECUTE FUNCTION shop.cut()`,
    );
    const first = await buyer.send("cancelPurchase", { params: { id: purchase._id } }, under(key));
    await store.pool.query("DROP TRIGGER cut ON shop.request");
    const { rows } = await store.pool.query("SELECT answer FROM shop.request WHERE key = $1", [key]);
    expect(rows[0].answer).toBe('{"deletedCount":1}');
    const second = await buyer.send("cancelPurchase", { params: { id: purchase._id } }, under(key));
    expect(second).toMatchObject({ status: 200, body: first.body });
  });
});
