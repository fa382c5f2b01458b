/**
 * A valid input for every call of the contract: the authorized caller is the owner. Calls that only need a user, a
 * product or a purchase are filled in from their path.
 */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import type { Call } from "../../api/call.ts";
import { type CallName, contract } from "../../api/contract.ts";
import type { Parts } from "../harness/client.ts";
import {
  addProduct,
  confirmCard,
  drill,
  failedRefund,
  openPaymentFor,
  payFor,
  placeFor,
} from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { anotherSession, register, type SignedIn } from "../harness/users.ts";

export interface Fixture {
  store: TestStore;
  admin: SignedIn;
  owner: SignedIn;
  other: SignedIn;
}

const newTerm = () => `term ${randomUUID()}`;

const orderNote = { text: "Dock 2 closes at 3 PM on Fridays." };

const lateView = { name: "Late", query: "status=paid&sort=waiting&age=3" };

const depot = { name: "Depot", address: "Unit 6, Canal Yard" };

const vanList = async (owner: SignedIn) => (await owner.call("addSavedList", { body: { name: "Van" } }))._id;

type Sample = (fixture: Fixture) => Promise<Parts>;

const samples: Partial<Record<CallName, Sample>> = {
  placePurchase: async ({ admin }) => {
    const { _id: productId } = await addProduct(admin);
    return { body: { productId, purchaseQuantity: 10, address: "Unit 6, Canal Yard" } };
  },
  placeOrder: async ({ admin }) => {
    const { _id: productId } = await addProduct(admin);
    return { body: { lines: [{ productId, quantity: 10 }], address: "Unit 6, Canal Yard" } };
  },
  checkLines: async ({ admin }) => ({
    body: { lines: [{ productId: (await addProduct(admin))._id, quantity: 10 }] },
  }),
  saveCart: async ({ store, admin }) => {
    // every kind of caller saves a first cart
    await store.pool.query("DELETE FROM shop.cart");
    return { body: { version: 0, lines: [{ productId: (await addProduct(admin))._id, quantity: 10 }] } };
  },
  mergeCart: async ({ admin }) => ({
    body: { lines: [{ productId: (await addProduct(admin))._id, quantity: 10 }] },
  }),
  addAddress: async () => ({ body: depot }),
  saveAddress: async ({ owner }) => ({
    params: { id: (await owner.call("addAddress", { body: depot }))._id },
    body: depot,
  }),
  deleteAddress: async ({ owner }) => ({
    params: {
      id: (await owner.call("addAddress", { body: { name: "Mill", address: "14 Mill Street" } }))._id,
    },
  }),
  findSavedList: async ({ owner }) => ({ params: { id: await vanList(owner) } }),
  addSavedList: async () => ({ body: { name: "Van" } }),
  saveSavedList: async ({ owner }) => ({
    params: { id: await vanList(owner) },
    body: { version: 1, name: "Bus", lines: [] },
  }),
  deleteSavedList: async ({ owner }) => ({ params: { id: await vanList(owner) } }),
  findOrderDetails: async (fixture) => ({ params: { id: (await unpaidPurchase(fixture)).orderId } }),
  cancelOrder: async (fixture) => ({ params: { id: (await unpaidPurchase(fixture)).orderId } }),
  shipOrder: async (fixture) => {
    const purchaseId = await paidPurchase(fixture);
    return { params: { id: purchaseId }, body: { lines: [{ purchaseId, quantity: 1 }] } };
  },
  correctTracking: async (fixture) => {
    const purchaseId = await paidPurchase(fixture);
    const { _id: id } = await fixture.admin.call("shipOrder", {
      params: { id: purchaseId },
      body: { lines: [{ purchaseId, quantity: 1 }] },
    });
    return { params: { id }, body: { carrier: "Northway", trackingNumber: "1Z 999 AA1" } };
  },
  findCustomer: async (fixture) => ({ params: { id: await customerId(fixture) } }),
  saveView: async () => ({ body: lateView }),
  deleteView: async ({ admin }) => ({
    params: { id: (await admin.call("saveView", { body: lateView }))._id },
  }),
  addCustomerNote: async (fixture) => ({ params: { id: await customerId(fixture) }, body: orderNote }),
  listOrderNotes: async (fixture) => ({ params: { id: (await unpaidPurchase(fixture)).orderId } }),
  addOrderNote: async (fixture) => ({
    params: { id: (await unpaidPurchase(fixture)).orderId },
    body: orderNote,
  }),
  deleteNote: async (fixture) => {
    const params = { id: (await unpaidPurchase(fixture)).orderId };
    return { params: { id: (await fixture.admin.call("addOrderNote", { params, body: orderNote }))._id } };
  },
  shipPurchase: async (fixture) => ({ params: { id: await paidPurchase(fixture) } }),
  undoShipment: async (fixture) => {
    const params = { id: await paidPurchase(fixture) };
    await fixture.admin.call("shipPurchase", { params });
    return { params };
  },
  createPaymentIntent: async (fixture) => {
    const { _id: purchaseId, total } = await unpaidPurchase(fixture);
    // every caller of this call may only make it for their own purchase
    return { body: { total, purchaseId } };
  },
  confirmPayment: async (fixture) => {
    const purchase = await unpaidPurchase(fixture);
    const payment = await openPaymentFor(fixture.owner, purchase);
    await confirmCard(fixture.store, fixture.owner, payment);
    return { params: { id: purchase._id }, body: { transactionId: payment.id, buyer: fixture.owner.name } };
  },
  addReview: async ({ owner }) => ({
    body: { name: owner.name, rating: 4.5, description: "Does what it should." },
  }),
  updateProfile: async ({ owner }) => ({ params: { email: owner.email }, body: { location: "Port Harrow" } }),
  addProduct: async () => ({ body: drill }),
  addSynonym: async () => ({ body: { term: newTerm(), sameAs: "angle grinder" } }),
  deleteSynonym: async ({ admin }) => {
    const body = { term: newTerm(), sameAs: "angle grinder" };
    return { params: { id: (await admin.call("addSynonym", { body }))._id } };
  },
  findPrice: async ({ admin }) => ({
    params: { id: (await addProduct(admin))._id },
    query: { quantity: 10 },
  }),
  findStockAlert: async ({ admin }) => ({ params: { id: (await addProduct(admin, { quantity: 0 }))._id } }),
  addStockAlert: async ({ admin }) => ({ params: { id: (await addProduct(admin, { quantity: 0 }))._id } }),
  removeStockAlert: async ({ admin }) => ({ params: { id: (await addProduct(admin, { quantity: 0 }))._id } }),
  askForStockAlert: async ({ admin }) => ({
    params: { id: (await addProduct(admin, { quantity: 0 }))._id },
    body: { email: `${randomUUID()}@buyers.example` },
  }),
  suggestTools: async () => ({ query: { q: "drill" } }),
  restoreProduct: async ({ admin }) => {
    const params = { id: (await addProduct(admin))._id };
    await admin.call("deleteProduct", { params });
    return { params };
  },
  importProducts: async () => ({
    body: {
      file: {
        name: "products.csv",
        content:
          "item_number,name,price,description,picture\nDD 18-60,Drill driver,149.00,A drill.,/tools/x.svg\n",
      },
      dryRun: "true",
    },
  }),
  addPicture: async () => ({ body: { file: { name: "drill.png", content: await smallPicture() } } }),
  saveProductPictures: async ({ admin }) => ({
    params: { id: (await addProduct(admin))._id },
    body: {
      version: 1,
      pictures: [
        { url: "/tools/angle-grinder.svg", alt: "Angle grinder, side view" },
        { url: "https://pictures.example/guard.jpg", alt: "Guard and disc" },
      ],
    },
  }),
  findImport: async (fixture) => ({ params: { id: await finishedImport(fixture) } }),
  listImportRows: async (fixture) => ({ params: { id: await finishedImport(fixture) } }),
  exportImportRows: async (fixture) => ({ params: { id: await finishedImport(fixture) } }),
  exportRefusedRows: async (fixture) => ({ params: { id: await finishedImport(fixture) } }),
  changeProducts: async () => ({ body: { q: "planer", field: "price", how: "percent", value: 2.5 } }),
  undoImport: async (fixture) => ({ params: { id: await appliedImport(fixture) } }),
  applyImport: async (fixture) => ({ params: { id: await finishedImport(fixture) } }),
  findStock: async ({ admin }) => ({ params: { id: (await addProduct(admin))._id } }),
  exportStockLedger: async ({ admin }) => ({ params: { id: (await addProduct(admin))._id } }),
  changeStock: async ({ admin }) => ({
    params: { id: (await addProduct(admin))._id },
    body: { kind: "receive", pieces: 40, reason: "Works order 7724" },
  }),
  setReorderPoint: async ({ admin }) => ({
    params: { id: (await addProduct(admin))._id },
    body: { reorderPoint: 120 },
  }),
  editProduct: async ({ admin }) => {
    const { _id, version, quantity } = await addProduct(admin);
    return { params: { id: _id }, body: { ...drill, price: 13, version, seenQuantity: quantity } };
  },
  refundPurchase: async (fixture) => ({
    params: { id: await paidPurchase(fixture) },
    body: { reason: "The carton was wet." },
  }),
  retryRefund: async ({ store, admin, owner }) => ({
    params: { id: (await failedRefund(store, admin, owner, "The carton was wet.")).refundId },
  }),
  recordManualRefund: async ({ store, admin, owner }) => ({
    params: { id: (await failedRefund(store, admin, owner, "The carton was wet.")).refundId },
    body: { how: "Bank transfer of November 20." },
  }),
  retryEmail: async ({ store, admin }) => {
    const mail = { mail: "securityNotice", event: "passwordChanged", at: new Date().toISOString() };
    const { rows } = await store.pool.query<{ id: string }>(
      "SELECT id::text FROM graphile_worker.add_job('send-mail', $1::json, run_at := now() + interval '1 day')",
      [JSON.stringify({ ...mail, email: admin.email, name: admin.name })],
    );
    return { params: { job: String(rows[0]?.id) } };
  },
  endSession: async ({ store, owner }) => {
    const phone = await anotherSession(store, owner);
    const current = (await phone.call("listSessions", {})).find((session) => session.current);
    return { params: { id: current?.id ?? "" } };
  },
  confirmAccount: async ({ owner }) => ({ body: { password: owner.password } }),
  hideReview: async ({ owner }) => {
    const { insertedId: id } = await owner.call("addReview", { body: { rating: 1, description: "Spam" } });
    return { params: { id }, body: { hidden: true } };
  },
  closeUser: async ({ store }) => ({
    params: { email: (await register(store, "Shut Out")).email },
    body: { closed: true },
  }),
  findMail: async ({ admin, store }) => {
    const newest = async () => (await admin.call("listEmails", { query: { limit: 1 } })).mails[0];
    await register(store, "Reads Mails");
    for (let tries = 0; tries < 300 && !(await newest()); tries += 1) await setTimeout(100);
    return { params: { id: (await newest())?.id ?? "" } };
  },
  makeAdmin: async ({ store }) => ({
    params: { email: (await register(store, "Next Admin")).email },
    body: { confirmUnconfirmed: true },
  }),
};

/** The input of a call's own test; throws, naming the call, if it has no sample. */
export async function sampleOf(name: CallName, fixture: Fixture): Promise<Parts> {
  const sample = samples[name];
  if (sample) return sample(fixture);
  const call: Call = contract[name];
  const params: Record<string, string> = {};
  for (const [, key] of call.path.matchAll(/\{(\w+)\}/g)) {
    params[key as string] = await valueFor(name, call.path, key as string, fixture);
  }
  if (call.body && !call.body.safeParse(undefined).success) throw noSample(name);
  return { params };
}

async function valueFor(name: CallName, path: string, key: string, fixture: Fixture): Promise<string> {
  if (key === "email") return fixture.owner.email;
  if (key === "id" && /^\/products?\//.test(path)) return (await addProduct(fixture.admin))._id;
  if (key === "id" && /^\/(purchase|payment|shipment|order)\//.test(path))
    return (await unpaidPurchase(fixture))._id;
  throw noSample(name);
}

function noSample(name: CallName): Error {
  return new Error(`The call ${name} has no sample: say in test/http/samples.ts what a good input is.`);
}

async function customerId({ admin, owner }: Fixture): Promise<string> {
  const { customers } = await admin.call("searchCustomers", { query: { q: owner.email } });
  return customers[0]?._id ?? "";
}

async function finishedImport({ admin }: Fixture): Promise<string> {
  const content = `item_number,name,price,description,picture\n${randomUUID()},Planer,89,Planes.,/tools/x.svg\n`;
  const file = { name: "products.csv", content };
  const { body } = await admin.send("importProducts", { body: { file, dryRun: true } });
  return waitForImport(admin, body._id as string);
}

export async function waitForImport(admin: SignedIn, id: string): Promise<string> {
  while ((await admin.call("findImport", { params: { id } })).state !== "done") await setTimeout(50);
  return id;
}

async function appliedImport(fixture: Fixture): Promise<string> {
  const id = await finishedImport(fixture);
  await fixture.admin.call("applyImport", { params: { id } });
  return waitForImport(fixture.admin, id);
}

const smallPicture = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: "#c8a16b" } })
    .png()
    .toBuffer();

async function unpaidPurchase({ admin, owner }: Fixture) {
  return placeFor(owner, await addProduct(admin));
}

async function paidPurchase(fixture: Fixture): Promise<string> {
  const purchase = await unpaidPurchase(fixture);
  await payFor(fixture.store, fixture.owner, purchase);
  return purchase._id;
}
