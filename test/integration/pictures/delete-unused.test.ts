/** Pictures that nothing refers to are deleted after a day, with their files; others are kept. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openFolderStorage } from "../../../providers/pictures/folder.ts";
import { deleteUnusedPictures } from "../../../shop/pictures/delete-unused.ts";
import type { PictureStorage } from "../../../shop/pictures/ports.ts";
import { readPictureUrl } from "../../../shop/pictures/urls.ts";
import { addProduct, placeFor } from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let storage: PictureStorage;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  storage = openFolderStorage(join(store.dataDir, "pictures"));
});
afterAll(() => store.stop());

const run = (from = storage) => deleteUnusedPictures(shopOf(store), from);
const statusOf = async (url: string) => (await fetch(`${store.url}${url}`)).status;

const fileOf = (background: string) =>
  sharp({ create: { width: 200, height: 150, channels: 3, background } })
    .png()
    .toBuffer();

async function send(background: string): Promise<string> {
  const { body } = await admin.send("addPicture", {
    body: { file: { name: "a.png", content: await fileOf(background) } },
  });
  return body.url;
}

const ageBy = (interval: string) =>
  store.pool.query(
    "UPDATE shop.picture SET created_at = created_at - $1::interval, uploaded_at = uploaded_at - $1::interval",
    [interval],
  );

test("a picture is kept for a day, and as long as something refers to it", async () => {
  const colours = ["#100000", "#200000", "#300000", "#400000", "#500000", "#600000"];
  const [unused, ofProduct, ofArchived, ofOrder, ofImport, further] = (await Promise.all(
    colours.map(send),
  )) as [string, string, string, string, string, string];
  const product = await addProduct(admin, { picture: ofProduct });
  const archived = await addProduct(admin, { picture: ofArchived });
  await admin.call("deleteProduct", { params: { id: archived._id } });
  // an order has the picture that the product had, also as a URL with the host
  const sold = await addProduct(admin, { picture: `${store.url}${ofOrder}` });
  await placeFor(await register(store), sold);
  await store.pool.query("UPDATE shop.product SET picture = '/tools/x.svg' WHERE id = $1", [sold._id]);
  await store.pool.query(
    "INSERT INTO shop.product_picture (product_id, position, picture, alt) VALUES ($1, 1, $2, 'From behind')",
    [product._id, further],
  );
  const content = `item_number,name,price,description,picture\nPI 1,Drill,5.00,A drill.,${ofImport}\n`;
  const { body: started } = await admin.send("importProducts", {
    body: { file: { name: "a.csv", content }, dryRun: true },
  });
  await vi.waitUntil(
    async () => (await admin.call("findImport", { params: { id: started._id } })).state === "done",
    { timeout: 10_000 },
  );

  expect(await run()).toBe(0);
  await ageBy("23 hours");
  expect(await run()).toBe(0);
  await ageBy("2 hours");
  expect(await run()).toBe(1);
  expect(await statusOf(unused)).toBe(404);
  for (const url of [ofProduct, ofArchived, ofOrder, ofImport, further])
    expect(await statusOf(url)).toBe(200);
  const files = await readdir(join(store.dataDir, "pictures"), { recursive: true });
  expect(files.filter((name) => name.includes(readPictureUrl(unused)?.hash as string))).toEqual([]);
  const { events } = await admin.call("listHistory", { query: { subject: "picture", limit: 1 } });
  expect(events[0]).toMatchObject({
    what: "deleted",
    role: "system",
    subjectId: readPictureUrl(unused)?.hash,
    before: { width: 200, height: 150 },
  });

  await admin.call("applyImport", { params: { id: started._id } });
  await store.pool.query("DELETE FROM shop.product_picture");
  await vi.waitUntil(
    async () => (await admin.call("findImport", { params: { id: started._id } })).state === "done",
    { timeout: 10_000 },
  );
  expect(await run()).toBe(1);
  expect([await statusOf(ofImport), await statusOf(further)]).toEqual([200, 404]);
});

test("a picture that an import replaced is kept for its undo", async () => {
  const before = await send("#120000");
  const product = await addProduct(admin, { itemNumber: "PI 2", picture: before });
  const content = "item_number,picture\nPI 2,/tools/x.svg\n";
  const done = async (id: string) =>
    vi.waitUntil(async () => (await admin.call("findImport", { params: { id } })).state === "done", {
      timeout: 10_000,
    });
  const { body: started } = await admin.send("importProducts", {
    body: { file: { name: "a.csv", content } },
  });
  await done(started._id);
  await ageBy("25 hours");
  await run();
  const undo = await admin.call("undoImport", { params: { id: started._id } });
  await done(undo._id);
  expect((await admin.call("findProduct", { params: { id: product._id } })).picture).toBe(before);
  expect(await statusOf(before)).toBe(200);
});

test("a picture uploaded again is kept for another day, or stored again", async () => {
  const url = await send("#110000");
  await ageBy("2 days");
  expect(await send("#110000")).toBe(url);
  expect(await run()).toBe(0);
  expect(await statusOf(url)).toBe(200);
  await ageBy("2 days");
  expect(await run()).toBe(1);
  expect(await send("#110000")).toBe(url);
  expect(await statusOf(url)).toBe(200);
});

test("a picture uploaded while it is deleted is stored afterwards", async () => {
  const url = await send("#120000");
  await ageBy("2 days");
  let sent: Promise<string> | undefined;
  const slow: PictureStorage = {
    ...storage,
    async delete(names) {
      sent = send("#120000");
      await new Promise((resolve) => setTimeout(resolve, 300));
      await storage.delete(names);
    },
  };
  expect(await run(slow)).toBe(1);
  expect(await sent).toBe(url);
  expect(await statusOf(url)).toBe(200);
});

test("an interrupted upload is deleted too, and can be repeated before", async () => {
  const url = await send("#130000");
  await store.pool.query("UPDATE shop.picture SET stored_at = NULL WHERE hash = $1", [
    readPictureUrl(url)?.hash,
  ]);
  await storage.delete([url.replace("/pictures/", "")]);
  expect(await statusOf(url)).toBe(404);
  expect(await send("#130000")).toBe(url);
  expect(await statusOf(url)).toBe(200);
  await store.pool.query("UPDATE shop.picture SET stored_at = NULL WHERE hash = $1", [
    readPictureUrl(url)?.hash,
  ]);
  await ageBy("2 days");
  expect(await run()).toBeGreaterThan(0);
  expect(await statusOf(url)).toBe(404);
});

test("pictures are checked together, instead of each by a scan of the products", async () => {
  await ageBy("2 days");
  await run();
  for (const colour of ["#150000", "#160000", "#170000"]) await send(colour);
  await ageBy("2 days");
  const query = vi.spyOn(pg.Client.prototype, "query");
  expect(await run()).toBe(3);
  const texts = query.mock.calls.map(([sent]: unknown[]) => (sent as { text?: string }).text ?? String(sent));
  query.mockRestore();
  expect(texts.filter((text) => text.includes("shop.product_picture"))).toHaveLength(2);
});

test("a picture whose files cannot be deleted is kept for the next run", async () => {
  await ageBy("2 days");
  await run();
  const url = await send("#140000");
  await ageBy("2 days");
  const failing: PictureStorage = { ...storage, delete: () => Promise.reject(new Error("unavailable")) };
  await expect(run(failing)).rejects.toThrow("unavailable");
  const { rowCount } = await store.pool.query("SELECT FROM shop.picture WHERE hash = $1", [
    readPictureUrl(url)?.hash,
  ]);
  expect(rowCount).toBe(1);
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
});

test("a picture of which some files were deleted is stored again when it is uploaded", async () => {
  const url = await send("#180000");
  await ageBy("2 days");
  const failing: PictureStorage = {
    ...storage,
    async delete(names) {
      await storage.delete(names.slice(-2));
      throw new Error("unavailable");
    },
  };
  await expect(run(failing)).rejects.toThrow("unavailable");
  expect(await send("#180000")).toBe(url);
  expect(await statusOf(url)).toBe(200);
});

test("a stop leaves the other pictures to the next run", async () => {
  await ageBy("2 days");
  await run();
  for (const colour of ["#150000", "#160000"]) await send(colour);
  await ageBy("2 days");
  const stopping = new AbortController();
  const stopped: PictureStorage = {
    ...storage,
    async delete(names) {
      await storage.delete(names);
      stopping.abort();
    },
  };
  expect(await deleteUnusedPictures(shopOf(store), stopped, stopping.signal)).toBe(1);
  expect(await run()).toBe(1);
});
