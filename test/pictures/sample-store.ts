/** A store some weeks after it opened, with buyers and orders of every kind. */

import { payFor, payOrder, placeFor, placeOrderFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, postIdentity, type SignedIn } from "../harness/users.ts";
import type { Who } from "./screens.ts";

export interface SampleStore {
  store: TestStore;
  users: Record<Exclude<Who, "visitor">, SignedIn>;
  /** the value of a placeholder in a screen's path */
  ids: Record<string, string>;
}

const DAYS = 21;

/** Opens the store with the sample catalogue; every order is placed, paid and shipped through the real calls. */
export async function openSampleStore(): Promise<SampleStore> {
  const store = await openStore({ sample: true });
  const admin = await adminOf(store);
  const others = ["Marco Adeyemi", "Priya Lindqvist", "Tomás Becker"];
  const [buyer, newcomer, ...rest] = await Promise.all(
    ["Ingrid Halloran", "Nils Newcomer", ...others].map((name) => registerUser(store, name)),
  );
  if (!buyer || !newcomer) throw new Error("Nobody could register.");
  await buyer.call("updateProfile", {
    params: { email: buyer.email },
    body: { education: "BEng Electrical Engineering, Harrow Polytechnic" },
  });
  for (let number = 0; number < DAYS; number += 1) {
    await placeSampleOrder(
      store,
      admin,
      rest[number % rest.length] ?? buyer,
      number,
      number < 17 ? "shipped" : "paid",
    );
  }
  const partly = await placeSampleOrderOfLines(store, admin, buyer, 7, "partly shipped");
  const ids = {
    LIST: await saveList(buyer),
    PARTLY: partly,
    TOOL: (await toolAt(buyer, 0))._id,
    SHIPPED: await placeSampleOrder(store, admin, buyer, 2, "shipped"),
    PAID: await placeSampleOrder(store, admin, buyer, 4, "paid"),
    UNPAID: await placeSampleOrder(store, admin, buyer, 1, "unpaid"),
    LINES: await placeSampleOrderOfLines(store, admin, buyer, 6, "unpaid"),
  };
  await fillCart(buyer);
  await spreadOverWeeks(store);
  return { store, users: { buyer, newcomer, admin }, ids };
}

async function registerUser(store: TestStore, name: string): Promise<SignedIn> {
  const email = `${name.split(" ")[0]?.normalize("NFD").replace(/\W/g, "").toLowerCase()}@halloran.example`;
  const account = { name, email, password: "a good password" };
  const registered = await postIdentity(store, "/api/auth/sign-up/email", account);
  if (!registered.ok) throw new Error(`${email} could not register: ${registered.status}`);
  return logIn(store, account);
}

async function toolAt(buyer: SignedIn, number: number) {
  const tools = await buyer.call("listProducts", {});
  const tool = tools[number % tools.length];
  if (!tool) throw new Error("The sample catalogue is empty.");
  return tool;
}

async function placeSampleOrder(
  store: TestStore,
  admin: SignedIn,
  buyer: SignedIn,
  number: number,
  until: "unpaid" | "paid" | "shipped",
): Promise<string> {
  const tool = await toolAt(buyer, number);
  const purchase = await placeFor(buyer, tool, tool.minimum_order * (1 + (number % 3)));
  if (until !== "unpaid") await payFor(store, buyer, purchase);
  if (until === "shipped") await admin.call("shipPurchase", { params: { id: purchase._id } });
  return purchase._id;
}

/** An order of several lines; partly shipped: the first lines, half of another, and with a refund. */
async function placeSampleOrderOfLines(
  store: TestStore,
  admin: SignedIn,
  buyer: SignedIn,
  lines: number,
  until: "unpaid" | "partly shipped",
): Promise<string> {
  const all = await buyer.call("listProducts", {});
  const tools = all.filter((tool) => tool.quantity >= 6 * tool.minimum_order).slice(-lines);
  const order = await placeOrderFor(
    buyer,
    tools.map((tool) => [tool, tool.minimum_order * 2]),
    {
      address: "Unit 6, Canal Yard, Port Harrow 41207",
      phone: "555 0119 0246",
      contact: buyer.name,
      poNumber: until === "unpaid" ? "HFO-4502" : "HFO-4471",
      note: "Dock 2, call first",
    },
  );
  if (until === "unpaid") return order._id;
  await payOrder(store, buyer, order._id, { total: order.total, orderId: order._id });
  await admin.call("shipOrder", {
    params: { id: order._id },
    body: {
      lines: order.lines.slice(0, -2).map(({ _id, purchaseQuantity }, index) => ({
        purchaseId: _id,
        quantity: index === 2 ? purchaseQuantity / 2 : purchaseQuantity,
      })),
      carrier: "Kestrel Freight",
      trackingNumber: "KF 8841 0029 317",
      trackingUrl: "https://kestrel.example/KF88410029317",
    },
  });
  await admin.call("refundPurchase", {
    params: { id: order.lines[0]?._id ?? "" },
    body: { amount: 192, reason: "2 damaged" },
  });
  return order._id;
}

/** A list with a line of each kind: ready, with a wrong quantity, short of stock. */
async function saveList(buyer: SignedIn): Promise<string> {
  const tools = await buyer.call("listProducts", {});
  const lines = tools
    .slice(0, 9)
    .map(({ _id: productId, minimum_order: minimum, quantity: stock }, index) => ({
      productId,
      quantity: index === 2 ? minimum - 1 : index === 5 ? stock + minimum : 4 * minimum,
    }));
  return (await buyer.call("addSavedList", { body: { name: "Van restock", lines } }))._id;
}

/** A cart of seven lines, one of them short of stock; those with price breaks come first. */
async function fillCart(buyer: SignedIn): Promise<void> {
  const all = await buyer.call("listProducts", {});
  const tools = all.toSorted((one, other) => Number(!one.price_breaks) - Number(!other.price_breaks));
  const lines = tools
    .slice(0, 7)
    .map(({ _id: productId, minimum_order: minimum, quantity: stock, price }, index) => ({
      productId,
      quantity: index === 4 ? stock + minimum : 5 * minimum,
      price,
    }));
  await buyer.call("saveCart", { body: { version: 0, lines } });
}

/**
 * The orders of one hour make no chart: each is backdated, the first the furthest. Nothing else about them changes.
 */
async function spreadOverWeeks(store: TestStore): Promise<void> {
  await store.pool.query(`
    WITH aged AS (SELECT id, interval '19 hours' * (dense_rank() OVER (ORDER BY order_id DESC) - 1) AS age FROM shop.purchase)
    UPDATE shop.purchase p SET placed_at = placed_at - age, paid_at = paid_at - age,
      shipped_at = CASE WHEN status = 'shipped' THEN least(now(), shipped_at - age + interval '31 hours') END
    FROM aged WHERE aged.id = p.id`);
  await store.pool.query(`
    UPDATE shop.order SET placed_at = line.placed_at FROM shop.purchase line
    WHERE line.order_id = "order".id AND line_number = 1`);
  // the audit log is immutable, except in this database
  await store.pool.query(`
    BEGIN;
    SET LOCAL session_replication_role = replica;
    UPDATE shop.event e
    SET at = CASE e.what WHEN 'placed' THEN p.placed_at WHEN 'paid' THEN p.paid_at ELSE p.shipped_at END
    FROM shop.purchase p WHERE p.id = e.purchase_id AND e.what IN ('placed', 'paid', 'shipped');
    COMMIT`);
}
