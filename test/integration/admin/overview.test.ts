import { afterAll, beforeAll, expect, test } from "vitest";
import { findCustomer } from "../../../shop/customers/find.ts";
import { readDashboard } from "../../../shop/reports/dashboard.ts";
import { findStock } from "../../../shop/stock/queries.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { addProduct, payOrder, placeFor, placeOrderFor } from "../../harness/orders.ts";
import { shopOf, userRow } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** When, in hours before now, orders of $125 were paid and shipped; "unpaid" ones were never paid. */
const sales = [
  { paid: 2 },
  { paid: 71 },
  { paid: 73 },
  { paid: 100 },
  { paid: 30, shipped: 10 },
  { paid: 60, shipped: 20 },
  { paid: (20 * DAY) / HOUR, shipped: (18 * DAY) / HOUR },
  { paid: (364 * DAY) / HOUR, shipped: (363 * DAY) / HOUR },
  { unpaid: true },
  { unpaid: true },
];

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  const buyer = await register(store);
  const drill = await addProduct(admin, { name: "Drill", price: 12.5, quantity: 1000 });
  await addProduct(admin, { name: "Scarce", minimum_order: 10, quantity: 12 });
  for (const [index, { paid, shipped, unpaid }] of sales.entries()) {
    const { _id } = await placeFor(buyer, drill, 10);
    if (unpaid) continue;
    // the rows are backdated
    await store.pool.query(
      `UPDATE shop.purchase SET status = $2, transaction_id = $3, placed_at = $4, paid_at = $4, shipped_at = $5,
         shipped_pieces = CASE WHEN $5::timestamptz IS NULL THEN 0 ELSE quantity END WHERE id = $1`,
      [
        _id,
        shipped === undefined ? "paid" : "shipped",
        `pi_overview_${index}`,
        before(paid),
        shipped === undefined ? null : before(shipped),
      ],
    );
  }
});
afterAll(() => store.stop());

test("a time zone that PostgreSQL does not know yet is refused by name", async () => {
  const shop = shopOf(store);
  const zone = "America/Atlantis";
  const [drill] = await admin.call("listProducts", { query: { limit: 1 } });
  const [customer] = (await admin.call("searchCustomers", { query: { q: "buyer" } })).customers;
  for (const reply of [
    await readDashboard(shop, { zone }),
    await findCustomer(shop, await userRow(store, admin), customer?._id ?? "", zone),
    await findStock(shop, drill?._id ?? "", { limit: 1, zone }),
  ])
    expect(reply).toMatchObject({ fields: { zone: refusals.badZone } });
});

function before(hours = 0): Date {
  return new Date(Date.now() - hours * HOUR);
}

const read = (period: "days" | "weeks" | "months", zone = "UTC") =>
  admin.call("overview", { query: { period, zone } });

test("counts waiting, late and unpaid orders and the time to ship", async () => {
  const figures = await read("weeks");
  expect(figures).toMatchObject({
    toShip: 4,
    late: 2,
    unpaidOrders: 2,
    outstanding: 250,
    // of 20, 40 and 48 hours
    medianHoursToShip: 40,
    statuses: { unpaid: 2, paid: 4, shipped: 4, refunded: 0 },
  });
  const waited = figures.waiting.map((order) => Math.round((Date.now() - Date.parse(order.paidAt)) / HOUR));
  expect(waited).toEqual([100, 73, 71, 2]);
  expect(figures.sold).toMatchObject([{ name: "Drill", pieces: 70 }]);
  expect(figures.lowStock).toMatchObject({ all: 1, least: [{ name: "Scarce", quantity: 12 }] });
});

test.each([
  ["days", 30],
  ["weeks", 12],
  ["months", 12],
] as const)("sums revenue by %s, without gaps, the current one last", async (period, amount) => {
  const { revenue } = await read(period);
  expect(revenue).toHaveLength(amount);
  const paid = revenue.reduce((sum, slot) => sum + slot.revenue, 0);
  const orders = revenue.reduce((sum, slot) => sum + slot.orders, 0);
  expect(paid).toBe(orders * 125);
  // the one a year ago is within the months only on a day on which a year has 364 days
  expect(orders).toBeGreaterThanOrEqual(7);
  expect(orders).toBeLessThanOrEqual(8);
  expect(revenue.map((slot) => slot.start)).toEqual(revenue.map((slot) => slot.start).toSorted());
});

test("shows an old store by weeks, unless another period is requested", async () => {
  const { period, revenue } = await admin.call("overview", { query: { zone: "UTC" } });
  expect(period).toBe("weeks");
  expect(revenue).toHaveLength(12);
});

test("compares a day with the same weekday a year ago", async () => {
  const { revenue } = await read("days");
  expect(revenue.at(-1)?.yearBefore).toBe(125);
  expect(revenue.filter((slot) => slot.yearBefore !== undefined)).toHaveLength(1);
});

test("lists problems: failed emails, discrepancies, disputed payments", async () => {
  expect((await read("weeks")).alerts).toEqual({ mails: 0, faults: 0, disputed: [] });
  await store.pool.query(
    `SELECT graphile_worker.add_job('send-mail', '{}', run_at := now() + interval '1 hour', job_key := 'refused');
     UPDATE graphile_worker._private_jobs SET last_error = 'Try later' WHERE key = 'refused';
     INSERT INTO shop.books_report (report) VALUES ('{"checkedAt": "2026-11-01T03:17:00Z", "faults": [{}, {}]}')
     ON CONFLICT (single) DO UPDATE SET report = excluded.report;
     UPDATE shop.purchase SET disputed_at = now() WHERE transaction_id = 'pi_overview_4'`,
  );
  const { alerts } = await read("weeks");
  expect(alerts).toMatchObject({
    mails: 1,
    faults: 2,
    disputed: [{ productName: "Drill", purchaseQuantity: 10 }],
  });
});

test("subtracts refunds, and does not ship what was fully refunded", async () => {
  const { paidThisWeek, toShip, revenue } = await read("weeks");
  await store.pool.query(
    "UPDATE shop.purchase SET refunded_cents = total_cents WHERE transaction_id = 'pi_overview_0'",
  );
  const after = await read("weeks");
  const sum = (slots: typeof revenue) => slots.reduce((total, slot) => total + slot.revenue, 0);
  expect(sum(after.revenue)).toBe(sum(revenue) - 125);
  expect(after.toShip).toBe(toShip - 1);
  expect(after.paidThisWeek).toBeLessThanOrEqual(paidThisWeek);
});

test("subtracts refunded pieces from those sold", async () => {
  const refund = (cents: number) =>
    store.pool.query("UPDATE shop.purchase SET refunded_cents = $1 WHERE transaction_id = 'pi_overview_1'", [
      cents,
    ]);
  // ten of another order were refunded by the test before
  expect((await read("days")).sold).toMatchObject([{ name: "Drill", pieces: 60 }]);
  await refund(3 * 1250);
  expect((await read("days")).sold).toMatchObject([{ name: "Drill", pieces: 57 }]);
  // less than the price of a piece
  await refund(3 * 1250 + 500);
  expect((await read("days")).sold).toMatchObject([{ name: "Drill", pieces: 57 }]);
  await refund(0);
});

test("lists no tool whose pieces were all refunded", async () => {
  const ada = await register(store, "Ada");
  const level = await addProduct(admin, { name: "Level", price: 12.5, quantity: 1000 });
  const { _id, total } = await placeFor(ada, level, 10);
  await payOrder(store, ada, _id, { total });
  const names = async () => (await read("days")).sold.map(({ name }) => name);
  expect(await names()).toContain("Level");
  await store.pool.query("UPDATE shop.purchase SET refunded_cents = total_cents WHERE id = $1", [_id]);
  expect(await names()).not.toContain("Level");
});

test("assigns a payment to the day in the admin's time zone", async () => {
  const dayOf = async (zone: string) => (await read("days", zone)).revenue.at(-1)?.start;
  const shown = (zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date());
  for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu"])
    expect(await dayOf(zone)).toBe(shown(zone));
});

test.each(["Atlantis/Capital", "'; DROP TABLE shop.purchase", "+05:00", "UTC+5", "EST5EDT6"])(
  "refuses the time zone %s",
  async (zone) => {
    expect((await admin.send("overview", { query: { zone } })).status).toBe(422);
  },
);

test("counts an order of several lines once", async () => {
  const earlier = await read("days");
  const ada = await register(store, "Ada");
  const saw = await addProduct(admin, { name: "Jigsaw", quantity: 1000 });
  const plane = await addProduct(admin, { name: "Planer", quantity: 1000 });
  const order = await placeOrderFor(ada, [
    [saw, 10],
    [plane, 10],
  ]);
  const unpaid = await read("days");
  expect(unpaid.unpaidOrders).toBe(earlier.unpaidOrders + 1);
  expect(unpaid.statuses.unpaid).toBe(earlier.statuses.unpaid + 2);
  await payOrder(store, ada, order._id, { total: order.total, orderId: order._id });
  const later = await read("days");
  expect(later.toShip).toBe(earlier.toShip + 1);
  expect(later.revenue.at(-1)?.orders).toBe((earlier.revenue.at(-1)?.orders ?? 0) + 1);
  expect(later.waiting.at(-1)).toMatchObject({
    name: "Ada",
    productName: "Jigsaw",
    orderNumber: order.number,
    lineCount: 2,
  });
  await store.pool.query("UPDATE shop.purchase SET disputed_at = now() WHERE order_id = $1", [order._id]);
  expect((await read("days")).alerts.disputed.filter(({ name }) => name === "Ada")).toMatchObject([
    { productName: "Jigsaw", orderNumber: order.number, lineCount: 2 },
  ]);
});
