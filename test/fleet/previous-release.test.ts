/**
 * A rolling deploy: the nodes of the previous release are replaced one by one behind a balancer, under load. The first
 * new node migrates the database, and a browser keeps a page of the previous build open.
 */
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Product } from "../../api/entities.ts";
import { closePages, type OpenPage, openPage } from "../harness/browser.ts";
import { clientOf } from "../harness/client.ts";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";
import { addProduct, editProduct, payFor, placeFor } from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { logIn, register, type SignedIn } from "../harness/users.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { NO_FAULTS, runDoctor } from "./doctor.ts";
import { type Load, startLoad } from "./load.ts";
import { loaderDataNames } from "./loader-data.ts";
import { admin, type FleetNode, startNode, urlOf } from "./node.ts";
import { buildPreviousRelease, hasPreviousRelease } from "./previous-release.ts";

const hasPrevious = await hasPreviousRelease();
if (!hasPrevious) console.warn("Not tested with the previous release: this clone is shallow.");

const REQUESTS = 10_000;
const STOCK = 100_000;
/** more than the page of emails lists */
const EMAILS = 30;
/** The tables of admins. */
const LISTS = [
  "overview",
  "searchPurchases",
  "searchProducts",
  "listStock",
  "searchCustomers",
  "searchUsers",
  "searchReviews",
  "searchActivity",
  "listImports",
] as const;
/** Sent by the previous release, whose pages do not read it. */
const UNUSED = "keepsMails";
/** Each sale invalidates the cached pages. */
const SALES_MS = 1000;

const cleanUp: (() => Promise<unknown>)[] = [];
let database: FreshDatabase;
let balancer: Balancer;
/** the store behind the balancer */
let store: TestStore;
let assets: string;
let previous: FleetNode[];
let owner: SignedIn;
let buyer: SignedIn;
let sold: Product;
let load: Load;
let sales: { stop(): Promise<void> };
let paid = 0;
let held: OpenPage;

beforeAll(async () => {
  const folder = hasPrevious ? await buildPreviousRelease() : process.cwd();
  if (hasPrevious) cleanUp.push(() => rm(folder, { recursive: true }));
  assets = await mkdtemp(join(tmpdir(), "stator-assets-"));
  cleanUp.push(() => rm(assets, { recursive: true }));
  database = await freshDatabase({ migrated: false });
  cleanUp.push(database.drop);
  balancer = await startBalancer();
  cleanUp.push(balancer.close);
  store = { url: balancer.url } as TestStore;
  previous = await Promise.all([openNode(folder), openNode(folder)]);
  for (const node of previous) await addNode(node);
  owner = await logIn(store, admin);
  sold = await addProduct(owner, { quantity: STOCK });
  buyer = await register(store, "Ada Buyer");
  held = await openPage(store, { user: buyer });
  cleanUp.push(closePages);
  await held.page.goto(`/product/${sold._id}`);
  await held.page.evaluate(() => Object.assign(window, { isHeld: true }));
  const { token, cookie } = owner;
  load = startLoad(balancer.url, pathsOf(sold), {
    authorization: `Bearer ${token}`,
    cookie,
    "accept-encoding": "gzip",
  });
  cleanUp.push(load.stop);
  sales = startSales();
  cleanUp.push(() => sales.stop());
}, 300_000);
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

test("the first new node migrates the database and sells next to one of the previous release", async () => {
  const before = await migrations();
  const started = openNode();
  await load.reach(0.4 * REQUESTS);
  const current = await started;
  if (hasPrevious) expect(await migrations()).toBeGreaterThan(before);
  else expect(await migrations()).toBe(before);
  await addNode(current);
  const [one, other] = previous as [FleetNode, FleetNode];
  await buyAndEdit(one, current);
  await buyAndEdit(current, other);
  // an open page navigates with data of a node of another build; a sale would change what the pages list
  await sales.stop();
  const ids = await addRecords();
  await addEmails(one);
  const users = { user: buyer, admin: owner };
  const names = await loaderDataNames(one, users, ids);
  expect(names.size).toBeGreaterThan(200);
  const missing = names.difference(await loaderDataNames(current, users, ids));
  expect([...missing].filter((name) => !name.endsWith(` ${UNUSED}`))).toEqual([]);
  sales = startSales();
}, 240_000);

test("no request of 10,000 fails while all nodes are replaced", async () => {
  const [one, other] = previous as [FleetNode, FleetNode];
  const stopped = removeNode(one);
  await load.reach(0.7 * REQUESTS);
  await addNode(await openNode());
  await Promise.all([stopped, removeNode(other), load.reach(REQUESTS)]);
  await load.stop();
  await sales.stop();
  expect(load.failed).toEqual([]);
  expect(balancer.used.size).toBe(4);
  expect(paid).toBeGreaterThan(3);
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS paid FROM shop.purchase WHERE product_id = $1 AND status = 'paid'",
    [sold._id],
  );
  expect(rows).toEqual([{ paid }]);
}, 240_000);

test("a page of the previous build buys", async () => {
  const { page, problems } = held;
  const scripts: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/")) scripts.push(pathname.slice("/assets/".length));
  });
  await page.getByLabel("Address").fill("Unit 6, Canal Yard");
  await page.getByLabel("Phone").fill("555 0100");
  await page.getByRole("button", { name: "Purchase" }).click();
  await page.getByText("Purchased Successfully").first().waitFor();
  await page.waitForURL("**/dashboard/orders");
  await page
    .getByRole("link", { name: /^Pay\b/ })
    .first()
    .click();
  await page.waitForURL("**/dashboard/payment/*");
  await page.getByRole("button", { name: /^Pay \$/ }).waitFor();
  expect(await page.evaluate(() => "isHeld" in window)).toBe(true);
  expect(problems).toEqual([]);
  const own = readdirSync("build/client/assets");
  if (hasPrevious) expect(scripts.filter((name) => !own.includes(name))).not.toEqual([]);
});

test("the doctor finds nothing", async () => {
  const outcome = await runDoctor({ DATABASE_URL: urlOf(database.connection) });
  expect(outcome).toEqual([0, expect.stringMatching(NO_FAULTS)]);
});

/** Mostly public pages, as a store's visitors request them. */
function pathsOf({ _id }: Product): string[] {
  const often = ["/", "/tools", "/products?limit=5", `/products/${_id}`, "/reviews"];
  return [...often, ...often, ...often, `/user/${admin.email}`, ...often, "/dashboard/profile"];
}

async function openNode(folder?: string): Promise<FleetNode> {
  const variables = {
    SAMPLE_DATA: "on",
    DRAIN_SECONDS: "3",
    PUBLIC_URL: balancer.url,
    ASSETS_DIR: assets,
    LOG_LEVEL: "warn",
  };
  const node = await startNode(database.connection, variables, folder);
  cleanUp.push(node.remove);
  return node;
}

async function addNode({ port }: FleetNode): Promise<void> {
  balancer.ports.add(port);
  await vi.waitUntil(() => balancer.ready().includes(port), { timeout: 20_000 });
}

async function removeNode(node: FleetNode): Promise<void> {
  expect(await node.stop()).toBe(0);
  balancer.ports.delete(node.port);
}

async function migrations(): Promise<number> {
  const { rows } = await database.pool.query("SELECT count(*)::int AS count FROM public.migration");
  return rows[0].count;
}

/** One record for each page that shows one, by the path of the page. */
async function addRecords(): Promise<Record<string, string>> {
  const product = await addProduct(owner);
  const paid = await placeFor(buyer, product);
  await payFor(store, buyer, paid);
  const unpaid = await placeFor(buyer, product);
  const lines = [{ productId: product._id, quantity: product.minimum_order }];
  const list = await buyer.call("addSavedList", { body: { name: "Spring", lines } });
  const file = { name: "erp.csv", content: "item_number,name\nAG 125-14,Angle grinder" };
  const { body: imported } = await owner.send("importProducts", { body: { file, dryRun: true } });
  const { customers } = await owner.call("searchCustomers", { query: {} });
  return {
    "/stock-alert/:step": "confirmed",
    "/product/:id": product._id,
    "/dashboard/editProduct/:id": product._id,
    "/dashboard/stock/:id": product._id,
    "/dashboard/order/:id": paid._id,
    "/dashboard/payment/:id": unpaid._id,
    "/dashboard/lists/:id": list._id,
    "/dashboard/import/:id": imported._id,
    "/dashboard/customers/:id": customers[0]?._id ?? "",
  };
}

/** The previous release reads those that its own node has sent, this one the database's. */
async function addEmails({ outbox }: FleetNode): Promise<void> {
  const text = "Your order is paid.";
  const email = { to: buyer.email, subject: "Order paid", text, html: `<p>${text}</p>` };
  const file = JSON.stringify({ ...email, sentAt: "2026-01-01T00:00:00.000Z" });
  await mkdir(outbox, { recursive: true });
  const queued = Date.now();
  for (let job = 1; job <= EMAILS; job += 1) await writeFile(join(outbox, `${queued}-${job}.json`), file);
  await database.pool.query(
    "INSERT INTO shop.outbox (queued, job, mail) SELECT $1, job, $2 FROM generate_series(1, $3::integer) AS job",
    [queued, email, EMAILS],
  );
}

/** Sells one lot after the other until it is stopped, and counts what is paid. */
function startSales(): { stop(): Promise<void> } {
  let isOver = false;
  const selling = (async () => {
    for (; !isOver; await pause(SALES_MS)) {
      await payFor(store, buyer, await placeFor(buyer, sold));
      paid += 1;
    }
  })().catch((error) => load.failed.push(`a sale: ${error}`));
  return {
    async stop() {
      isOver = true;
      await selling;
    },
  };
}

/** What is sold, paid and edited at one node is seen and edited at the other. */
async function buyAndEdit(one: FleetNode, other: FleetNode): Promise<void> {
  const at = ({ url }: FleetNode, user: SignedIn) => ({ ...user, ...clientOf({ url }, user) });
  const product = await addProduct(at(one, owner));
  const purchase = await placeFor(at(one, buyer), product);
  await payFor(one as unknown as TestStore, at(one, buyer), purchase);
  const read = { params: { id: product._id } };
  const bought = await at(one, owner).call("findProduct", read);
  expect(bought.quantity).toBe(product.quantity - purchase.purchaseQuantity);
  await editProduct(at(one, owner), bought, { price: 99.5 });
  const purchases = await at(other, buyer).call("listPurchasesOf", { params: { email: buyer.email } });
  expect(purchases).toContainEqual(expect.objectContaining({ _id: purchase._id, status: "paid" }));
  const edited = await at(other, owner).call("findProduct", read);
  expect(edited.price).toBe(99.5);
  await editProduct(at(other, owner), edited, { price: 98.5 });
  for (const list of LISTS) await at(other, owner).call(list, { query: {} });
}
