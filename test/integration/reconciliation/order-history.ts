/** A small shop with one order of every kind, so that each check has data. */

import { cancelPurchase } from "../../../shop/orders/cancel.ts";
import { placePurchase } from "../../../shop/orders/place-purchase.ts";
import { confirmPayment } from "../../../shop/payments/confirm.ts";
import { createPaymentIntent } from "../../../shop/payments/create-intent.ts";
import { addProduct } from "../../../shop/products/add.ts";
import { refundPurchase } from "../../../shop/refunds/request.ts";
import { isRefusal } from "../../../shop/refusal.ts";
import type { Store } from "../../../shop/store.ts";
import { dropDatabase } from "../../harness/database.ts";
import { newUser, startStore } from "../../model/real.ts";
import { type Fixture, openFixture, payByPage } from "../payments/fixture.ts";

export interface Life {
  fixture: Fixture;
  store: Store;
  /** ids by kind, also for the statements of a damage: `:paid` */
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
  payUnseen(): Promise<void>;
  close(): Promise<void>;
}

const DRILL = {
  name: "Drill",
  picture: "/tools/x.svg",
  description: "A drill.",
  price: 10,
  minimum_order: 1,
};

interface Recorded {
  /** the database to copy */
  template: string;
  ids: Life["ids"];
  opened: { id: string; clientSecret: string };
}

let recorded: Promise<Recorded> | undefined;

/** Opens it on a separate database, a copy of the one that `record` made. */
export async function openLife(): Promise<Life> {
  recorded ??= record();
  const { template, ids, opened } = await recorded;
  const fixture = await openFixture({ template });
  return {
    fixture,
    store: startStore(fixture),
    ids,
    payUnseen: async () => void (await payByPage(fixture, opened)),
    close: () => fixture.close(),
  };
}

/** Drops the database that the others are copies of. */
export async function dropLives(): Promise<void> {
  if (recorded) await dropDatabase((await recorded).template);
  recorded = undefined;
}

/** Each order is of 5 pieces for $50.00. */
async function record(): Promise<Recorded> {
  const fixture = await openFixture();
  const store = startStore(fixture);
  const buyer = await newUser(store, "user");
  const admin = await newUser(store, "admin");
  const { insertedId: product } = sure(await addProduct(store, { ...DRILL, quantity: 500 }));
  const order = { address: "Unit 6", phone: "", productId: product, purchaseQuantity: 5 };
  const place = async () => sure(await placePurchase(store, buyer, order))._id;
  const open = async (purchaseId: string) => {
    const { clientSecret } = sure(await createPaymentIntent(store, buyer, { total: 50, purchaseId }));
    return { id: clientSecret.split("_secret_")[0] ?? "", clientSecret };
  };
  const pay = async (id: string) => {
    const intent = await open(id);
    await payByPage(fixture, intent);
    sure(await confirmPayment(store, buyer, id, intent.id));
    return intent.id;
  };
  const giveBack = async (id: string, returnToStock: boolean) => {
    const asked = { amount: 20, reason: "As agreed.", returnToStock };
    return sure(await refundPurchase(store, admin, id, asked, crypto.randomUUID())).refundId;
  };
  const unpaid = await place();
  const opened = await open(unpaid);
  const cancelled = await place();
  const withdrawn = (await open(cancelled)).id;
  sure(await cancelPurchase(store, buyer, cancelled));
  const [paid, refunded, returned] = [await place(), await place(), await place()];
  const payment = await pay(paid);
  for (const id of [refunded, returned]) await pay(id);
  const refund = await giveBack(refunded, false);
  await giveBack(returned, true);
  const orders = { unpaid, cancelled, paid, refunded, returned };
  return {
    template: await fixture.seal(),
    ids: { ...orders, product, admin: admin.id, opened: opened.id, withdrawn, payment, refund },
    opened,
  };
}

function sure<Value>(result: Value): Exclude<Value, { refused: string }> {
  if (isRefusal(result)) throw new Error(result.detail);
  return result as Exclude<Value, { refused: string }>;
}
