/** The actions allowed on an order of two lines in each state: every action is tried on a separate order. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Order, Product } from "../../../api/entities.ts";
import { addProduct, payOrder, placeOrderFor } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let ada: SignedIn;
let tools: Product[];
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  ada = await register(store, "Ada");
  tools = [
    await addProduct(admin, { name: "Saw", price: 10, minimum_order: 1, quantity: 100_000 }),
    await addProduct(admin, { name: "Drill", price: 20, minimum_order: 1, quantity: 100_000 }),
  ];
});
afterEach(async () => {
  expect((await admin.call("reconcile", {})).faults).toEqual([]);
});
afterAll(() => store.stop());

const lineIds = ({ lines }: Order) => lines.map(({ _id }) => _id) as [string, string];
const pay = (order: Order, total: number, purchaseIds: string[]) =>
  payOrder(store, ada, purchaseIds[0] ?? "", { total, purchaseIds }).then(() => order);
const ship = (order: Order, lines: { purchaseId: string; quantity: number }[]) =>
  admin.send("shipOrder", { params: { id: order._id }, body: { lines } });
const refund = (id: string) => admin.send("refundPurchase", { params: { id }, body: { reason: "Damaged" } });

/** Ten pieces of each product, $300.00 in all, brought into a state. */
const states = {
  unpaid: async (order: Order) => order,
  "first line paid": async (order: Order) => pay(order, 100, lineIds(order).slice(0, 1)),
  "first line cancelled": async (order: Order) => {
    await ada.call("cancelPurchase", { params: { id: lineIds(order)[0] } });
  },
  cancelled: async (order: Order) => {
    await ada.call("cancelOrder", { params: { id: order._id } });
  },
  paid: async (order: Order) => pay(order, 300, lineIds(order)),
  "partly shipped": async (order: Order) => {
    await pay(order, 300, lineIds(order));
    await ship(order, [{ purchaseId: lineIds(order)[0], quantity: 4 }]);
  },
  shipped: async (order: Order) => {
    await pay(order, 300, lineIds(order));
    await ship(
      order,
      lineIds(order).map((purchaseId) => ({ purchaseId, quantity: 10 })),
    );
  },
  "first line refunded": async (order: Order) => {
    await pay(order, 300, lineIds(order));
    await refund(lineIds(order)[0]);
  },
} satisfies Record<string, (order: Order) => Promise<unknown>>;

/** Each on the first line, or on the whole order. */
const actions = {
  "pay all": async (order: Order) =>
    ada.send("createPaymentIntent", { body: { total: 300, orderId: order._id } }),
  "cancel order": async (order: Order) => ada.send("cancelOrder", { params: { id: order._id } }),
  "cancel line": async (order: Order) => ada.send("cancelPurchase", { params: { id: lineIds(order)[0] } }),
  "ship 6": async (order: Order) => ship(order, [{ purchaseId: lineIds(order)[0], quantity: 6 }]),
  "ship 10": async (order: Order) => ship(order, [{ purchaseId: lineIds(order)[0], quantity: 10 }]),
  "ship rest": async (order: Order) => admin.send("shipPurchase", { params: { id: lineIds(order)[0] } }),
  refund: async (order: Order) => refund(lineIds(order)[0]),
};

const can = 200;
const no = 409;
const NOT_FOUND = 404;
/** the total is not that of the unpaid lines */
const wrongTotal = 422;

/** The status of each action's response. */
const table: Record<keyof typeof states, Record<keyof typeof actions, number>> = {
  unpaid: {
    "pay all": can,
    "cancel order": can,
    "cancel line": can,
    "ship 6": no,
    "ship 10": no,
    "ship rest": no,
    refund: no,
  },
  "first line paid": {
    "pay all": wrongTotal,
    "cancel order": can,
    "cancel line": no,
    "ship 6": can,
    "ship 10": can,
    "ship rest": can,
    refund: can,
  },
  "first line cancelled": {
    "pay all": wrongTotal,
    "cancel order": can,
    "cancel line": NOT_FOUND,
    "ship 6": no,
    "ship 10": no,
    "ship rest": NOT_FOUND,
    refund: NOT_FOUND,
  },
  cancelled: {
    "pay all": NOT_FOUND,
    "cancel order": NOT_FOUND,
    "cancel line": NOT_FOUND,
    "ship 6": no,
    "ship 10": no,
    "ship rest": NOT_FOUND,
    refund: NOT_FOUND,
  },
  paid: {
    "pay all": no,
    "cancel order": no,
    "cancel line": no,
    "ship 6": can,
    "ship 10": can,
    "ship rest": can,
    refund: can,
  },
  "partly shipped": {
    "pay all": no,
    "cancel order": no,
    "cancel line": no,
    "ship 6": can,
    "ship 10": no,
    "ship rest": can,
    refund: can,
  },
  shipped: {
    "pay all": no,
    "cancel order": no,
    "cancel line": no,
    "ship 6": no,
    "ship 10": no,
    "ship rest": no,
    refund: can,
  },
  "first line refunded": {
    "pay all": no,
    "cancel order": no,
    "cancel line": no,
    "ship 6": no,
    "ship 10": no,
    "ship rest": no,
    refund: no,
  },
};

describe.each(Object.keys(states) as (keyof typeof states)[])("an order that is %s", (state) => {
  test("allows exactly the transitions of the table", async () => {
    const found: Partial<Record<string, number>> = {};
    for (const [name, act] of Object.entries(actions)) {
      const order = await placeOrderFor(
        ada,
        tools.map((tool) => [tool, 10]),
      );
      await states[state](order);
      const { status, body } = await act(order);
      // what is refused says why
      if (status !== 200) expect(body.detail, name).toMatch(/\.$/);
      found[name] = status;
    }
    expect(found).toEqual(table[state]);
  });
});
