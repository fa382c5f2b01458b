/** A small store with one order of every kind, so that each check of the reconciliation has data. */

import { cancelPurchase } from "../../../shop/orders/cancel.ts";
import { placePurchase } from "../../../shop/orders/place-purchase.ts";
import { confirmPayment } from "../../../shop/payments/confirm.ts";
import { createPaymentIntent } from "../../../shop/payments/create-intent.ts";
import { addProduct } from "../../../shop/products/add.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import type { Store } from "../../../shop/store.ts";
import { dropDatabase } from "../../harness/database.ts";
import { paymentOf } from "../../harness/orders.ts";
import { newUser, startStore } from "../../model/real.ts";
import { type Fixture, openFixture, payByPage } from "../payments/fixture.ts";

export interface OrderHistory {
  fixture: Fixture;
  store: Store;
  /** ids by kind, which the statements of `damage` name too: `:paid` */
  ids: Record<
    | "product"
    | "admin"
    | "unpaid"
    | "opened"
    | "cancelled"
    | "withdrawn"
    | "paid"
    | "payment"
    | "refunded"
    | "refund"
    | "returned",
    string
  >;
  /** Pays the order `unpaid` without the store knowing. */
  payUnrecorded(): Promise<void>;
  close(): Promise<void>;
}

const DRILL = {
  name: "Drill",
  picture: "/tools/x.svg",
  description: "A drill.",
  price: 10,
  minimum_order: 1,
};

interface Template {
  /** the database to copy */
  database: string;
  ids: OrderHistory["ids"];
  opened: { id: string; clientSecret: string };
}

let template: Promise<Template> | undefined;

/** Opens it on a database of its own, a copy of the template. */
export async function openOrderHistory(): Promise<OrderHistory> {
  template ??= createTemplate();
  const { database, ids, opened } = await template;
  const fixture = await openFixture({ template: database });
  return {
    fixture,
    store: startStore(fixture),
    ids,
    payUnrecorded: async () => void (await payByPage(fixture, opened)),
    close: () => fixture.close(),
  };
}

/** Drops the template. */
export async function dropOrderHistories(): Promise<void> {
  if (template) await dropDatabase((await template).database);
  template = undefined;
}

/** Each order is of 5 pieces for $50.00. */
async function createTemplate(): Promise<Template> {
  const fixture = await openFixture();
  const store = startStore(fixture);
  const buyer = await newUser(store, "user");
  const admin = await newUser(store, "admin");
  const { insertedId: product } = accepted(await addProduct(store, { ...DRILL, quantity: 500 }));
  const order = { address: "Unit 6", phone: "", productId: product, purchaseQuantity: 5 };
  const place = async () => accepted(await placePurchase(store, buyer, order))._id;
  const open = async (purchaseId: string) => {
    const { clientSecret } = accepted(await createPaymentIntent(store, buyer, { total: 50, purchaseId }));
    return paymentOf(clientSecret);
  };
  const pay = async (id: string) => {
    const intent = await open(id);
    await payByPage(fixture, intent);
    accepted(await confirmPayment(store, buyer, id, intent.id));
    return intent.id;
  };
  const requestRefund = async (id: string, returnToStock: boolean) => {
    const request = { amount: 20, reason: "As agreed.", returnToStock };
    return accepted(await refundPurchase(store, admin, id, request, crypto.randomUUID())).refundId;
  };
  const unpaid = await place();
  const opened = await open(unpaid);
  const cancelled = await place();
  const withdrawn = (await open(cancelled)).id;
  accepted(await cancelPurchase(store, buyer, cancelled));
  const [paid, refunded, returned] = [await place(), await place(), await place()];
  const payment = await pay(paid);
  for (const id of [refunded, returned]) await pay(id);
  const refund = await requestRefund(refunded, false);
  await requestRefund(returned, true);
  const orders = { unpaid, cancelled, paid, refunded, returned };
  return {
    database: await fixture.seal(),
    ids: { ...orders, product, admin: admin.id, opened: opened.id, withdrawn, payment, refund },
    opened,
  };
}

function accepted<Value>(result: Value): Exclude<Value, { refused: string }> {
  if (isRefusal(result)) throw new Error(result.detail);
  return result as Exclude<Value, { refused: string }>;
}
