/** The number of SQL statements of an order from placing to paid or cancelled, as the pages send it: each write with a key. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CallName } from "../../../api/contract.ts";
import { addProduct, confirmCard, dropWebhooks, paymentOf } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

const query = pg.Client.prototype.query;
let sent: string[] = [];
let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  // jobs run elsewhere, so all statements are those of requests
  store = await openStore({ environment: { ROLE: "web" } });
  admin = await adminOf(store);
  buyer = await register(store, "Ada");
  await dropWebhooks(store);
  const inSandbox = new WeakSet<pg.Client>();
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [statement] = given as [string | pg.QueryConfig];
    const text = typeof statement === "string" ? statement : statement.text;
    if (text.startsWith("BEGIN; SET LOCAL")) inSandbox.add(this);
    if (!inSandbox.has(this)) sent.push(text.trim());
    if (/^(COMMIT|ROLLBACK)/.test(text)) inSandbox.delete(this);
    return (query as (...given: unknown[]) => unknown).apply(this, given);
  } as typeof query;
});
afterAll(async () => {
  pg.Client.prototype.query = query;
  await store.stop();
});

async function counted(name: CallName, parts: object) {
  sent = [];
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const { status, body } = await buyer.send(name, parts, headers);
  expect([status, body]).toEqual([200, expect.anything()]);
  return { body, statements: sent.filter((text) => !text.includes("sandbox.")) };
}

test.each([
  ["placing and paying", 1, 14, placeAndPay],
  ["placing and paying", 20, 14, placeAndPay],
  ["placing and cancelling", 1, 14, placeAndCancel],
  ["placing and cancelling", 20, 14, placeAndCancel],
] as const)("%s an order of %d lines takes at most %d", async (_, many, most, run) => {
  const tools = await Promise.all(Array.from({ length: many }, () => addProduct(admin)));
  const lines = tools.map(({ _id }) => ({ productId: _id, quantity: 10 }));
  const statements = await run(lines);
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(most);
});

type Lines = { productId: string; quantity: number }[];

async function placeAndCancel(lines: Lines): Promise<string[]> {
  const placed = await counted("placeOrder", { body: { lines, address: "Unit 6" } });
  const cancelled = await counted("cancelOrder", { params: { id: placed.body._id } });
  return [placed, cancelled].flatMap(({ statements }) => statements);
}

async function placeAndPay(lines: Lines): Promise<string[]> {
  const placed = await counted("placeOrder", { body: { lines, address: "Unit 6" } });
  const { _id: orderId, total } = placed.body;
  const opened = await counted("createPaymentIntent", { body: { total, orderId } });
  const { clientSecret } = opened.body;
  const payment = paymentOf(clientSecret);
  await confirmCard(store, buyer, payment);
  const confirmed = await counted("confirmPayment", {
    params: { id: orderId },
    body: { transactionId: payment.id },
  });
  return [placed, opened, confirmed].flatMap(({ statements }) => statements);
}
