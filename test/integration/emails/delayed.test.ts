/** Emails that waited while their order or refund went on: they say what is true when they are sent. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Order, Product, Purchase } from "../../../api/entities.ts";
import { composeEmail, type EmailJob } from "../../../shop/emails/compose.ts";
import { sendExpiryReminders } from "../../../shop/orders/remind.ts";
import {
  addProduct,
  cards,
  confirmCard,
  failedRefund,
  openPaymentFor,
  payFor,
  placeFor,
  placeOrderFor,
} from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let saw: Product;
let drill: Product;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Ada");
  saw = await addProduct(admin, { name: "Saw" });
  drill = await addProduct(admin, { name: "Drill" });
});
afterEach(async () => {
  expect((await admin.call("reconcile", {})).faults.filter(({ refundId }) => !refundId)).toEqual([]);
});
afterAll(() => store.stop());

const compose = (job: EmailJob) =>
  composeEmail(shopOf(store), { publicUrl: store.url, sender: ["Stator"] }, job);

async function twoLines(): Promise<{ order: Order; saws: Purchase; drills: Purchase }> {
  const order = await placeOrderFor(buyer, [
    [saw, 10],
    [drill, 20],
  ]);
  const [saws, drills] = order.lines as [Purchase, Purchase];
  return { order, saws, drills };
}

const cancel = ({ _id }: Purchase) => buyer.call("cancelPurchase", { params: { id: _id } });

test("an order that was placed asks for what is due, without its cancelled lines", async () => {
  const { order, saws, drills } = await twoLines();
  const placed = () => compose({ mail: "orderPlaced", orderId: order._id });
  expect((await placed())?.text).toContain("Pay $375.00:");
  await payFor(store, buyer, drills);
  const due = await placed();
  expect(due?.text).toContain("Pay $125.00:");
  expect(due?.text).toContain("Total: $375.00");
  await cancel(saws);
  const paid = await placed();
  expect(paid?.subject).toBe("Order placed: 20 × Drill, $250.00");
  expect(paid?.text).not.toMatch(/Pay \$|after successful payment|Saw/);
});

test("a purchase that was placed and is paid or cancelled asks for no payment", async () => {
  const [paid, cancelled] = [await placeFor(buyer, saw), await placeFor(buyer, saw)];
  const placed = ({ _id }: Purchase) => compose({ mail: "purchasePlaced", purchaseId: _id });
  expect((await placed(paid))?.text).toContain("Pay $125.00:");
  await payFor(store, buyer, paid);
  await cancel(cancelled);
  for (const purchase of [paid, cancelled]) {
    const email = await placed(purchase);
    expect(email?.subject).toBe("Order placed: 10 × Saw, $125.00");
    expect(email?.text).not.toMatch(/Pay \$|after successful payment/);
  }
});

test("lines that are cancelled or expire do not end the order of which others are paid", async () => {
  const { order, saws, drills } = await twoLines();
  await payFor(store, buyer, drills);
  const purchaseIds = [saws._id];
  const about = { orderId: order._id, purchaseIds };
  const soon = await compose({ mail: "orderExpiresSoon", ...about });
  expect(soon?.text).toContain("Part of your order is still unpaid");
  await cancel(saws);
  const emails = await Promise.all([
    compose({ mail: "purchaseCancelled", purchaseId: saws._id }),
    compose({ mail: "orderCancelled", ...about }),
    compose({ mail: "orderExpired", ...about }),
  ]);
  for (const email of emails) {
    expect(email?.text).toMatch(/nothing was charged for (it|them)\./i);
    expect(email?.text).toContain("The other lines of the order stay.");
    expect(email?.text).not.toMatch(/Your order (is cancelled|has expired)|Nothing was charged\./);
  }
  const whole = await placeFor(buyer, saw);
  await cancel(whole);
  const email = await compose({ mail: "purchaseCancelled", purchaseId: whole._id });
  expect(email?.text).toContain("Your order is cancelled");
});

test("each payment of an order that is paid in parts leads to its own invoice", async () => {
  const { order, saws, drills } = await twoLines();
  const numbers: string[] = [];
  for (const line of [saws, drills]) {
    await payFor(store, buyer, line);
    const { documents } = await buyer.call("findOrderDetails", { params: { id: order._id } });
    const invoices = documents.filter(({ kind }) => kind === "invoice").map(({ href }) => href);
    numbers.push(...invoices.filter((href) => !numbers.includes(href)));
  }
  const links = await Promise.all(
    [saws, drills].map(async ({ _id }) => {
      const email = await compose({ mail: "orderPaid", orderId: order._id, purchaseIds: [_id] });
      return /Invoice \(PDF\):\n(.*)/.exec(email?.text ?? "")?.[1];
    }),
  );
  expect(links).toEqual(numbers.map((href) => `${store.url}${href}`));
});

test("no reminder while a bank decides about the payment; one for the other line", async () => {
  const { order, saws, drills } = await twoLines();
  const payment = await openPaymentFor(buyer, saws);
  await confirmCard(store, buyer, payment, cards.processing);
  const input = { params: { id: saws._id }, body: { transactionId: payment.id } };
  expect((await buyer.send("confirmPayment", input)).status).toBe(409);
  await store.pool.query(
    "UPDATE shop.purchase SET placed_at = now() - interval '160 hours' WHERE order_id = $1",
    [order._id],
  );
  await sendExpiryReminders(shopOf(store));
  const { rows } = await store.pool.query(
    "SELECT id FROM shop.purchase WHERE order_id = $1 AND reminded_at IS NOT NULL",
    [order._id],
  );
  expect(rows).toEqual([{ id: drills._id }]);
  // queued before the bank had to decide
  const soon = await compose({ mail: "orderExpiresSoon", orderId: order._id });
  expect(soon?.subject).toBe(`Expires soon: 20 × Drill of order ${order.number}, $250.00`);
  expect(await compose({ mail: "purchaseExpiresSoon", purchaseId: saws._id })).toBeNull();
});

test("a refund that failed is not announced as made, nor one that was settled as owed", async () => {
  const { purchase, refundId } = await failedRefund(store, admin, buyer, "Two cartons arrived damaged.");
  const about = { purchaseId: purchase._id, refundId };
  expect(await compose({ mail: "refundIssued", ...about })).toBeNull();
  expect((await compose({ mail: "refundReturned", ...about }))?.text).toContain("We still owe you");
  const settle = { params: { id: refundId }, body: { how: "Bank transfer of November 20." } };
  await admin.call("recordManualRefund", settle);
  expect(await compose({ mail: "refundReturned", ...about })).toBeNull();
  expect((await compose({ mail: "refundSettled", ...about }))?.text).toContain("Bank transfer");
});
