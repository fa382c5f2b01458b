/**
 * The database goes down and comes back while emails wait for an SMTP server that does not respond: the process
 * continues, buyers can order at once, and every email is sent once.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { type Mailbox, startMailbox } from "../harness/mailbox.ts";
import { addProduct } from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";
import { createStoreProcess, type StoreProcess } from "./store-process.ts";

const SALES_RESUME_WITHIN_MS = 5000;

let mailbox: Mailbox;
let victim: StoreProcess;
let buyer: SignedIn;
let product: Product;
beforeAll(async () => {
  mailbox = await startMailbox({ silent: true });
  // one process, which serves and sends the emails
  victim = await createStoreProcess(1, { SMTP_URL: mailbox.url });
  await victim.start();
  const store = victim as unknown as TestStore;
  buyer = await register(store);
  product = await addProduct(await adminOf(store), { quantity: 1_000_000, minimum_order: 1 });
});
afterAll(async () => {
  await victim.remove();
  await mailbox.stop();
});

/** Queues emails to the recipients from `first` to `last`. */
async function queueEmails(first: number, last: number): Promise<void> {
  await victim.query(
    `SELECT graphile_worker.add_job('send-mail', json_build_object('mail', 'securityNotice', 'name', 'Ada',
       'event', 'passwordChanged', 'at', now(), 'email', 'person-' || n || '@backlog.example'))
     FROM generate_series($1::int, $2::int) AS n`,
    [first, last],
  );
}

/** The time from when the database is back until an order is placed. */
async function msUntilSale(): Promise<number> {
  await expect
    .poll(() => victim.query("SELECT 1 AS one").catch(() => []), { timeout: 30_000, interval: 20 })
    .toEqual([{ one: 1 }]);
  const back = performance.now();
  const body = { address: "Unit 6, Canal Yard", productId: product._id, purchaseQuantity: 1 };
  const place = () => buyer.send("placePurchase", { body }).then(({ status }) => status);
  await expect.poll(() => place().catch(() => 0), { timeout: 30_000, interval: 50 }).toBe(200);
  return performance.now() - back;
}

test.each([
  [60, 1, 60],
  [4000, 61, 4000],
])(
  "the database crashes five times while %i emails are queued",
  { timeout: 120_000 },
  async (_, first, last) => {
    await queueEmails(first, last);
    for (let crash = 0; crash < 5; crash += 1) {
      if (crash === 0) victim.killDatabase();
      else await victim.crashDatabase();
      // jobs end while their results cannot be recorded
      mailbox.hangUp();
      expect(await msUntilSale()).toBeLessThan(SALES_RESUME_WITHIN_MS);
    }
    expect(victim.isAlive()).toBe(true);
  },
);

test("every email is sent once when the SMTP server is back", async () => {
  mailbox.greet();
  const left = async () => {
    // the pause after a failed attempt is skipped
    await victim.query("UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now()");
    const [row] = await victim.query<{ jobs: number }>(
      "SELECT count(*)::int AS jobs FROM graphile_worker._private_jobs",
    );
    return row?.jobs;
  };
  await expect.poll(left, { timeout: 90_000, interval: 500 }).toBe(0);
  const sent = mailbox.received.flatMap(({ to }) => to).filter((to) => to.endsWith("@backlog.example"));
  expect(sent.length).toBe(4000);
  expect(new Set(sent).size).toBe(4000);
  expect(victim.isAlive()).toBe(true);
});
