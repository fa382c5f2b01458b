/** Back-in-stock emails: who is listed, who gets one and when, and how to unsubscribe without signing in. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Product } from "../../api/entities.ts";
import type { Queryable } from "../../database/client.ts";
import { stockAlertEmail } from "../../shop/emails/stock-alert-email.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { clientOf } from "../harness/client.ts";
import { waitingStatements } from "../harness/database.ts";
import { type Mailbox, startMailbox } from "../harness/mailbox.ts";
import { addProduct } from "../harness/orders.ts";
import { shopOf } from "../harness/shop.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn, signUp } from "../harness/users.ts";

let mailbox: Mailbox;
let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let tool: Product;
beforeAll(async () => {
  mailbox = await startMailbox();
  store = await openStore({ environment: { SMTP_URL: mailbox.url, RATE_LIMIT: "on" } });
  admin = await adminOf(store);
  buyer = await confirmedUser("Ingrid Halloran");
});
beforeEach(async () => {
  tool = await addProduct(admin, { minimum_order: 10, quantity: 9 });
});
afterAll(async () => {
  await store.stop();
  await mailbox.stop();
});

const params = () => ({ id: tool._id });
const stock = (quantity: number) =>
  store.pool.query("UPDATE shop.product SET quantity = $2 WHERE id = $1", [tool._id, quantity]);
/** The latest emails to one recipient, with unfolded lines. */
const mailsTo = (email: string) =>
  mailbox.received
    .filter(({ to }) => to.includes(email))
    .map(({ source }) =>
      source
        .replace(/=\r?\n/g, "")
        .replace(/\r?\n[ \t]+/g, " ")
        .replace(/=3D/g, "="),
    );
const mailTo = async (email: string, pattern: RegExp) => {
  await vi.waitUntil(() => mailsTo(email).some((mail) => pattern.test(mail)), { timeout: 15_000 });
  return mailsTo(email).findLast((mail) => pattern.test(mail)) as string;
};
/** A visitor who has opened the link of the confirmation email. */
async function confirmedUser(name: string): Promise<SignedIn> {
  const user = await signUp(store, name);
  const link = /https?:\/\/\S+verify-email\S+/.exec(await mailTo(user.email, /verify-email/))?.[0] ?? "";
  const opened = await fetch(link, { redirect: "manual", headers: { cookie: user.cookie } });
  expect(opened.headers.get("location")).toBe("/login?verified=1");
  return user;
}
/** The path of a link in an email. */
const linkIn = (mail: string, step: string) =>
  new RegExp(`/stock-alert/${step}\\?token=[0-9a-f-]{36}`).exec(mail)?.[0] ?? "";
const post = (path: string, accept = "*/*") =>
  fetch(`${store.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", accept },
    body: "List-Unsubscribe=One-Click",
  });
const waiting = async () =>
  (
    await store.pool.query("SELECT FROM shop.stock_alert WHERE product_id = $1 AND notified_at IS NULL", [
      tool._id,
    ])
  ).rowCount;

test("sends one email when the stock covers an order", async () => {
  expect(await buyer.call("addStockAlert", { params: params() })).toEqual({ alert: "waiting" });
  expect(await buyer.call("addStockAlert", { params: params() })).toEqual({ alert: "waiting" });
  expect(await buyer.call("findStockAlert", { params: params() })).toEqual({ waiting: true });
  const { stockAlerts } = await buyer.call("downloadData", {});
  expect(stockAlerts).toMatchObject([{ productId: tool._id, product: tool.name }]);
  await stock(8);
  await stock(10);
  const mail = await mailTo(buyer.email, /Available again/);
  expect(mail).toMatch(/^List-Unsubscribe: <http\S+\/stock-alert\/stop\?token=\S+>$/im);
  expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/im);
  await stock(0);
  await stock(20);
  expect(await buyer.call("findStockAlert", { params: params() })).toEqual({ waiting: false });
  const { rows } = await store.pool.query(
    "SELECT count(*)::int AS jobs FROM shop.stock_alert WHERE product_id = $1",
    [tool._id],
  );
  expect(rows).toEqual([{ jobs: 1 }]);
  expect(await buyer.call("addStockAlert", { params: params() })).toEqual({ alert: "orderable" });
});

test("queues nothing when the stock change is rolled back, and can be withdrawn", async () => {
  await buyer.call("addStockAlert", { params: params() });
  const client = await store.pool.connect();
  await client.query("BEGIN");
  await client.query("UPDATE shop.product SET quantity = 50 WHERE id = $1", [tool._id]);
  await client.query("ROLLBACK");
  client.release();
  expect(await waiting()).toBe(1);
  expect(await buyer.call("removeStockAlert", { params: params() })).toEqual({ deletedCount: 1 });
  expect(await waiting()).toBe(0);
});

test("asks a visitor to confirm the email address, and is ended with one click without signing in", async () => {
  const email = "vera@visitors.example";
  const send = () =>
    clientOf(store).call("askForStockAlert", { params: params(), body: { email: "Vera@visitors.example" } });
  expect(await send()).toEqual({ alert: "confirm" });
  const confirm = linkIn(await mailTo(email, /Confirm your email/), "confirm");
  await stock(10);
  await stock(9);
  expect(await waiting(), "unconfirmed, so not written to").toBe(1);
  // a scanner opens links: that has no effect
  const page = await fetch(`${store.url}${confirm}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Confirm email")]);
  const confirmed = await post(confirm, "text/html");
  expect([confirmed.status, confirmed.headers.get("location")]).toEqual([303, "/stock-alert/confirmed"]);
  await stock(10);
  const stop = linkIn(await mailTo(email, /Available again/), "stop");
  await stock(0);
  expect(await send()).toEqual({ alert: "confirm" });
  const stopped = await post(stop);
  expect([stopped.status, await stopped.json()]).toEqual([200, { done: "stopped" }]);
  expect(await waiting()).toBe(0);
  expect(await (await post(stop)).json()).toEqual({ done: "gone" });
});

test.each<[string, (user: SignedIn, token: string) => Promise<number>]>([
  ["by its link", async (_, token) => (await post(`/stock-alert/stop?token=${token}`)).status],
  [
    "with the account",
    async (user) => (await user.send("deleteAccount", { params: { email: user.email } })).status,
  ],
])("is ended %s while the stock of several products changes", async (_, end) => {
  const user = await confirmedUser("Edda Endings");
  const [first, second] = [
    tool._id,
    (await addProduct(admin, { minimum_order: 10, quantity: 9 }))._id,
  ].sort();
  // the second is read first
  for (const id of [second, first]) await user.call("addStockAlert", { params: { id: id ?? "" } });
  const { rows } = await store.pool.query<{ token: string }>(
    "SELECT token FROM shop.stock_alert WHERE product_id = $1",
    [first],
  );
  const restock = "UPDATE shop.product SET quantity = 50 WHERE id = $1";
  const client = await store.pool.connect();
  await client.query("BEGIN");
  await client.query(restock, [first]);
  const ending = end(user, rows[0]?.token ?? "");
  await expect.poll(() => waitingStatements(store.pool)).toBe(1);
  await client.query(restock, [second]);
  await client.query("COMMIT");
  client.release();
  expect(await ending).toBe(200);
});

test("an account with an unconfirmed email gets a link first", async () => {
  const other = await signUp(store, "Una Confirmed");
  await store.pool.query('UPDATE identity."user" SET "emailVerified" = false WHERE email = $1', [
    other.email,
  ]);
  expect(await other.call("addStockAlert", { params: params() })).toEqual({ alert: "confirm" });
  await mailTo(other.email, /stock-alert\/confirm/);
});

test("an account cannot fill the mailbox of an email address that it does not own", async () => {
  const stranger = await register(store, "Stan Stranger");
  for (let click = 0; click < 8; click += 1) {
    expect(await stranger.call("addStockAlert", { params: params() })).toEqual({ alert: "confirm" });
  }
  await mailTo(stranger.email, /stock-alert\/confirm/);
  const pending = "SELECT FROM graphile_worker._private_jobs WHERE payload->>'mail' = 'confirmStockAlert'";
  await expect.poll(async () => (await store.pool.query(pending)).rowCount).toBe(0);
  expect(mailsTo(stranger.email)).toHaveLength(1);
});

test("an account cannot fill such a mailbox with links for several tools either", async () => {
  const stranger = await register(store, "Stan Stranger");
  const tools = await Promise.all(
    Array.from({ length: 8 }, () => addProduct(admin, { minimum_order: 10, quantity: 9 })),
  );
  const replies = await Promise.all(
    tools.map(({ _id: id }) => stranger.send("addStockAlert", { params: { id } })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.detail).toBe(refusals.tooManyLinks);
});

test("waits for the next stock when the product sells out before the email is sent", async () => {
  await buyer.call("addStockAlert", { params: params() });
  const client = await store.pool.connect();
  await client.query("BEGIN");
  await client.query("UPDATE shop.product SET quantity = 50 WHERE id = $1", [tool._id]);
  await client.query("UPDATE shop.product SET quantity = 0 WHERE id = $1", [tool._id]);
  await client.query("COMMIT");
  client.release();
  await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
});

test("is not forgotten when the stock comes back while it waits for the next one", async () => {
  await buyer.call("addStockAlert", { params: params() });
  const { rows } = await store.pool.query<{ id: string }>(
    "UPDATE shop.stock_alert SET notified_at = now() WHERE product_id = $1 RETURNING id",
    [tool._id],
  );
  let reads = 0;
  const query = async (...values: Parameters<Queryable["query"]>) => {
    const result = await store.pool.query(...values);
    reads += 1;
    if (reads === 1) await stock(10);
    return result;
  };
  const shop = { ...shopOf(store), pool: { query } as Queryable };
  const alertId = rows[0]?.id ?? "";
  const site = { publicUrl: store.url, sender: ["Stator"] };
  expect((await stockAlertEmail(shop, site, { mail: "backInStock", alertId }))?.to).toBe(buyer.email);
});

test("is not promised again by a confirmation link whose email was sent", async () => {
  const email = "twice@visitors.example";
  await clientOf(store).call("askForStockAlert", { params: params(), body: { email } });
  const confirm = linkIn(await mailTo(email, /Confirm your email/), "confirm");
  for (let click = 0; click < 2; click += 1) {
    expect(await (await post(confirm)).json()).toEqual({ done: "confirmed" });
  }
  await stock(10);
  await mailTo(email, /Available again/);
  await stock(0);
  expect(await (await post(confirm)).json()).toEqual({ done: "gone" });
});

test("refuses unknown products, invalid emails and too many requests", async () => {
  const visitor = clientOf(store);
  const email = "often@visitors.example";
  const send = (body: unknown, id = tool._id) => visitor.send("askForStockAlert", { params: { id }, body });
  expect((await send({ email: "nonsense" })).status).toBe(422);
  expect((await send({ email }, crypto.randomUUID())).body.detail).toBe(refusals.productNotFound);
  const statuses = [];
  for (let number = 0; number < 6; number += 1) statuses.push((await send({ email })).status);
  expect(statuses).toContain(429);
  expect((await post("/stock-alert/stop?token=nonsense")).status).toBe(404);
});

test.each([
  "spam,victim@visitors.example",
  "cheap<victim@visitors.example>",
  "(cheap)victim@visitors.example",
  "group:victim@visitors.example;",
  '"cheap"<victim@visitors.example>',
])("refuses %s, which an email program reads as another recipient", async (email) => {
  const refused = await clientOf(store).send("askForStockAlert", { params: params(), body: { email } });
  expect(refused).toMatchObject({ status: 422, body: { fields: { email: "Provide a valid email" } } });
});

test("of accounts take nothing from the limit of visitors in the same network", async () => {
  for (let click = 0; click < 31; click += 1) await buyer.call("addStockAlert", { params: params() });
  const body = { email: "neighbour@visitors.example" };
  expect((await clientOf(store).send("askForStockAlert", { params: params(), body })).status).toBe(200);
});

test("is deleted with the account", async () => {
  const leaver = await confirmedUser("Leon Leaver");
  await leaver.call("addStockAlert", { params: params() });
  await clientOf(store).call("askForStockAlert", { params: params(), body: { email: leaver.email } });
  expect(await waiting()).toBe(2);
  await leaver.call("deleteAccount", { params: { email: leaver.email } });
  expect(await waiting()).toBe(0);
});
