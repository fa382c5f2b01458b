/** The reconciliation of the admin's page: never longer than a request may take, however large the store. */
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { reconcile } from "../../../shop/reconciliation/check.ts";
import { runReconciliation } from "../../../shop/reconciliation/run.ts";
import { addProduct } from "../../harness/orders.ts";
import { openStore } from "../../harness/store.ts";
import { adminOf } from "../../harness/users.ts";
import { dropOrderHistories, type OrderHistory, openOrderHistory } from "./order-history.ts";

let history: OrderHistory;
beforeEach(async () => {
  history = await openOrderHistory();
});
afterEach(() => history.close());
afterAll(dropOrderHistories);

/** The same store with a provider whose list takes until `release` is called. */
function slowProvider() {
  const { promise: long, resolve: release } = Promise.withResolvers<void>();
  let requests = 0;
  const payments = {
    ...history.store.payments,
    async *intentsSince(since: Date) {
      requests += 1;
      await long;
      yield* history.store.payments.intentsSince(since);
    },
  };
  return { store: { ...history.store, payments }, release, requests: () => requests };
}

test("a short run returns its report", async () => {
  const books = await runReconciliation(history.store);
  expect(books).toMatchObject({ running: false, faults: [] });
  expect(books.claims.length).toBeGreaterThan(10);
});

test("a long run responds in time, continues once for all callers, and its report is there later", async () => {
  const { store, release, requests } = slowProvider();
  const first = await runReconciliation(store, { waitMs: 50 });
  expect(first).toMatchObject({ running: true, claims: [], faults: [] });
  const again = await Promise.all(
    [1, 2].map(() => runReconciliation(store, { since: first.asked, waitMs: 50 })),
  );
  expect(again.map(({ running }) => running)).toEqual([true, true]);
  await expect.poll(requests).toBe(1);
  release();
  await expect
    .poll(() => runReconciliation(store, { since: first.asked, waitMs: 50 }))
    .toMatchObject({ running: false, asked: first.asked, faults: [] });
  expect(requests()).toBe(1);
});

test("a report from before the clock was set back does not count as the newest", async () => {
  const { checkedAt } = await runReconciliation(history.store);
  await history.store.pool.query(
    `UPDATE shop.books_report SET report = report || '{"checkedAt": "2099-01-01T00:00:00.000Z"}'`,
  );
  const next = await runReconciliation(history.store);
  expect(next).toMatchObject({ running: false, faults: [] });
  expect(next.checkedAt > checkedAt && next.checkedAt < "2099").toBe(true);
});

test("shows the last report while the next is being made", async () => {
  const last = await runReconciliation(history.store);
  const { store, release } = slowProvider();
  const now = await runReconciliation(store, { waitMs: 50 });
  expect(now).toMatchObject({ running: true, checkedAt: last.checkedAt, claims: last.claims });
  release();
  await expect
    .poll(async () => (await runReconciliation(store, { since: now.asked, waitMs: 50 })).running)
    .toBe(false);
});

test("that fails is reported to waiting callers, and repeated for the next one", async () => {
  const payments = {
    ...history.store.payments,
    // biome-ignore lint/correctness/useYield: it has nothing to give
    async *intentsSince(): AsyncGenerator<never> {
      throw new Error("the list broke");
    },
  };
  await expect(runReconciliation({ ...history.store, payments })).rejects.toThrow("the list broke");
  expect(await runReconciliation(history.store)).toMatchObject({ running: false });
});

test("that fails after its response is reported to later requests for its report, without another run", async () => {
  const { promise: long, reject: fail } = Promise.withResolvers<void>();
  let reads = 0;
  const payments = {
    ...history.store.payments,
    async *intentsSince(since: Date) {
      reads += 1;
      await long;
      yield* history.store.payments.intentsSince(since);
    },
  };
  const store = { ...history.store, payments };
  const { asked: since } = await runReconciliation(store, { waitMs: 50 });
  await expect.poll(() => reads).toBe(1);
  fail(new Error("the list broke"));
  await expect
    .poll(() => runReconciliation(store, { since, waitMs: 50 }).catch(String))
    .toContain("the list broke");
  await expect(runReconciliation(store, { since, waitMs: 50 })).rejects.toThrow("the list broke");
  expect(reads).toBe(1);
  expect(await runReconciliation(history.store)).toMatchObject({ running: false, faults: [] });
  expect(await runReconciliation(store, { since })).toMatchObject({ running: false, faults: [] });
});

test("names a hundred discrepancies of a check and says that there are more", async () => {
  await history.fixture.pool.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE shop.product SET quantity = quantity + 1;
    INSERT INTO shop.product (name, picture, price_cents, minimum_order, quantity, description)
    SELECT 'Saw', '/tools/x.svg', 100, 1, 7, 'A saw.' FROM generate_series(1, 150); COMMIT`);
  const { faults } = await reconcile(history.store, { days: 1, recheckAfterMs: 0 });
  const stock = faults.filter(({ claim }) => claim.startsWith("The stock of each tool"));
  expect(stock).toHaveLength(101);
  expect(stock.at(-1)?.detail).toBe("And there are more.");
});

test("that began before a request is followed by another one, which sees what was changed meanwhile", async () => {
  const { store, release, requests } = slowProvider();
  await runReconciliation(store, { waitMs: 50 });
  await expect.poll(requests).toBe(1);
  const { asked: since } = await runReconciliation(store, { waitMs: 0 });
  release();
  let report: Awaited<ReturnType<typeof runReconciliation>>;
  do report = await runReconciliation(store, { since });
  while (report.running);
  expect(report.checkedAt >= since).toBe(true);
  expect(requests()).toBe(2);
});

test("of the night logs each discrepancy", async () => {
  const store = await openStore();
  const { name } = await addProduct(await adminOf(store), { quantity: 1000 });
  await store.pool.query(
    "BEGIN; SET LOCAL session_replication_role = replica; UPDATE shop.product SET quantity = 1001; COMMIT",
  );
  const pending = "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'check-books'";
  await store.pool.query("SELECT graphile_worker.add_job('check-books')");
  await expect.poll(async () => (await store.pool.query(pending)).rowCount).toBe(0);
  const [logged] = store.logs.expect(/discrepancy: /);
  expect(logged).toContain(`The stock of ${name}`);
  await store.stop();
});
