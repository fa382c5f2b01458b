/** Saved lists of an account, through the calls and in SQL. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import { clientOf } from "../../harness/client.ts";
import { addProduct, editProduct, impactWrench } from "../../harness/orders.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
let wrench: Product;
let grinder: Product;

beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Ada Lovell");
  wrench = await addProduct(admin, impactWrench);
  grinder = await addProduct(admin, { name: "Small grinder", quantity: 55, minimum_order: 5 });
});
afterAll(() => store.stop());

const listsOf = async (user: SignedIn) => (await user.call("listSavedLists", {})).lists;
const lineOf = ({ _id }: Product, quantity: number) => ({ productId: _id, quantity });

test("a list is added, found, changed under its version and deleted", async () => {
  const user = await register(store);
  expect(await listsOf(user)).toEqual([]);
  const lines = [lineOf(wrench, 100), lineOf(grinder, 5)];
  const added = await user.call("addSavedList", { body: { name: " Van restock ", lines } });
  expect(added).toEqual({
    _id: expect.any(String),
    name: "Van restock",
    version: 1,
    changedAt: expect.any(String),
    lines,
  });
  const params = { id: added._id };
  expect(await user.call("findSavedList", { params })).toEqual(added);
  const turned = lines.toReversed();
  const saved = await user.call("saveSavedList", {
    params,
    body: { version: 1, name: "Van", lines: turned },
  });
  expect(saved).toEqual({ _id: added._id, name: "Van", version: 2, changedAt: expect.any(String) });
  expect(await user.call("findSavedList", { params })).toEqual({ ...saved, lines: turned });
  const stale = await user.send("saveSavedList", { params, body: { version: 1, name: "Old", lines: [] } });
  expect([stale.status, stale.body.detail, stale.body.present]).toEqual([
    409,
    "The list was changed elsewhere.",
    { ...saved, lines: turned },
  ]);
  expect(await user.call("deleteSavedList", { params })).toEqual({ deletedCount: 1 });
  for (const refused of [
    await user.send("findSavedList", { params }),
    await user.send("deleteSavedList", { params }),
    await user.send("saveSavedList", { params, body: { version: 2, name: "Van", lines } }),
  ])
    expect([refused.status, refused.body.detail]).toEqual([404, "This list does not exist."]);
});

test("the lists have current totals at the price breaks, and their problems", async () => {
  const user = await register(store);
  const discontinued = await addProduct(admin, { name: "Old planer" });
  const short = await addProduct(admin, { quantity: 40, minimum_order: 10 });
  const none = await addProduct(admin, { quantity: 5, minimum_order: 10 });
  const lines = [
    lineOf(wrench, 460),
    lineOf(discontinued, 10),
    lineOf(short, 50),
    lineOf(none, 5),
    lineOf(grinder, 4),
  ];
  const first = await user.call("addSavedList", { body: { name: "Site 14", lines } });
  await admin.call("deleteProduct", { params: { id: discontinued._id } });
  const second = await user.call("addSavedList", {
    body: { name: "Van", lines: [lineOf(wrench, 500), lineOf(grinder, 5)] },
  });
  await user.call("addSavedList", { body: { name: "Empty" } });
  const [empty, good, bad] = await listsOf(user);
  expect(empty).toMatchObject({ name: "Empty", lineCount: 0, pieces: 0, total: 0, pictures: [] });
  expect(good).toMatchObject({
    _id: second._id,
    version: 1,
    lineCount: 2,
    pieces: 505,
    total: 54_500 + 5 * grinder.price,
    problems: { noLongerSold: 0, shortOfStock: 0, wrongQuantity: 0 },
    pictures: [wrench.picture, grinder.picture],
  });
  expect(bad).toMatchObject({
    _id: first._id,
    lineCount: 5,
    pieces: 460,
    total: 460 * 119,
    problems: { noLongerSold: 1, shortOfStock: 2, wrongQuantity: 1 },
  });
  expect(bad?.pictures).toHaveLength(4);
  const checked = await clientOf(store).send("checkLines", { body: { lines } });
  expect(checked.body).toMatchObject({ total: bad?.total, pieces: bad?.pieces });
});

test("the lists are shown whatever their lines cost", async () => {
  const user = await register(store);
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO shop.product (name, description, picture, price_cents, minimum_order, quantity)
     SELECT 'Turbine ' || n, 'Large.', '/tools/turbine.svg', 99999999, 1, 1000000 FROM generate_series(1, 100) n
     RETURNING id`,
  );
  const lines = rows.map(({ id }) => ({ productId: id, quantity: 1_000_000 }));
  await user.call("addSavedList", { body: { name: "Plant", lines: [...lines, lineOf(grinder, 5)] } });
  const checked = await user.call("checkLines", { body: { lines: [...lines, lineOf(grinder, 5)] } });
  const [list] = await listsOf(user);
  expect(list).toMatchObject({ lineCount: 101, total: checked.total, pieces: checked.pieces });
});

test("of several tabs that save concurrently, one is accepted", async () => {
  const { _id: id } = await buyer.call("addSavedList", { body: { name: "Van" } });
  const save = (quantity: number) =>
    buyer.send("saveSavedList", {
      params: { id },
      body: { version: 1, name: "Van", lines: [lineOf(wrench, quantity)] },
    });
  const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(save));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  expect((await buyer.call("findSavedList", { params: { id } })).version).toBe(2);
});

test("another account neither sees, changes nor deletes a list, nor does an admin", async () => {
  const stranger = await register(store);
  const { _id: id, ...list } = await buyer.call("addSavedList", {
    body: { name: "Mine", lines: [lineOf(wrench, 20)] },
  });
  for (const user of [stranger, admin])
    for (const refused of [
      await user.send("findSavedList", { params: { id } }),
      await user.send("saveSavedList", { params: { id }, body: { version: 1, name: "Taken", lines: [] } }),
      await user.send("deleteSavedList", { params: { id } }),
    ])
      expect([refused.status, refused.body.present]).toEqual([403, undefined]);
  expect(await listsOf(stranger)).toEqual([]);
  expect(await buyer.call("findSavedList", { params: { id } })).toEqual({ _id: id, ...list });
});

test.each([
  [{ name: " " }, "name", "Enter a name for this list."],
  [{ name: "x".repeat(81) }, "name", "Use at most 80 characters."],
  [{ lines: [{ productId: "x", quantity: 1 }] }, "lines.0.productId", "This id is not valid."],
  [{ lines: [{ productId: randomUUID(), quantity: 0 }] }, "lines.0.quantity", "Enter 1 or more."],
  [{ lines: [{ productId: randomUUID(), quantity: 1.5 }] }, "lines.0.quantity", "Enter a whole number."],
  [{ lines: [{ productId: randomUUID(), quantity: 1e9 }] }, "lines.0.quantity", "Enter 1000000 or less."],
  [
    { lines: [{ productId: randomUUID(), quantity: 1 }] },
    "lines.0.productId",
    "This tool is not in the catalogue.",
  ],
  [
    { lines: Array.from({ length: 5001 }, () => ({ productId: randomUUID(), quantity: 1 })) },
    "lines",
    "A list has at most 5,000 lines.",
  ],
])("refuses %#", async (wrong, field, text) => {
  const before = await listsOf(buyer);
  const [known] = before;
  const body = { name: "Van", lines: [], ...wrong };
  for (const refused of [
    await buyer.send("addSavedList", { body }),
    await buyer.send("saveSavedList", {
      params: { id: known?._id ?? "" },
      body: { ...body, version: known?.version },
    }),
  ])
    expect([refused.status, refused.body.fields]).toEqual([422, { [field]: text }]);
  expect(await listsOf(buyer)).toEqual(before);
});

test("refuses a product twice", async () => {
  const capitals = { productId: wrench._id.toUpperCase(), quantity: 20 };
  const twice = await buyer.send("addSavedList", {
    body: { name: "Van", lines: [lineOf(wrench, 20), capitals] },
  });
  expect([twice.status, twice.body.fields]).toEqual([
    422,
    { "lines.1.productId": "This tool is on another line already." },
  ]);
});

test("an account keeps 100 lists of 5,000 lines", async () => {
  const user = await register(store);
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO shop.product (name, picture, price_cents, quantity, minimum_order, description)
     SELECT 'Tool ' || n, '/tools/drill.svg', 1000 + n, 500, 5, 'A tool.' FROM generate_series(1, 5000) AS n
     RETURNING id`,
  );
  const lines = rows.map(({ id }) => ({ productId: id, quantity: 5 }));
  const { _id: id } = await user.call("addSavedList", { body: { name: "All", lines } });
  const edited = lines.toReversed().map((line) => ({ ...line, quantity: 10 }));
  await user.call("saveSavedList", { params: { id }, body: { version: 1, name: "All", lines: edited } });
  expect((await user.call("findSavedList", { params: { id } })).lines).toEqual(edited);
  await store.pool.query(
    `INSERT INTO shop.saved_list (user_id, position, name)
     SELECT id, place, 'List ' || place FROM shop.user, generate_series(2, 98) AS place WHERE email = $1`,
    [user.email],
  );
  const add = () => user.send("addSavedList", { body: { name: "More" } });
  const replies = await Promise.all([add(), add(), add(), add()]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.detail).toBe(
    "An account can keep at most 100 lists. Delete one that you do not need.",
  );
  const lists = await listsOf(user);
  expect([lists.length, lists.find((list) => list._id === id)]).toMatchObject([
    100,
    { lineCount: 5000, pieces: 50_000, total: 10 * 5000 * 10 + (10 * 5000 * 5001) / 200 },
  ]);
});

test("a list keeps a product that is no longer sold", async () => {
  const product = await addProduct(admin);
  const lines = [lineOf(product, 10)];
  const { _id: id } = await buyer.call("addSavedList", { body: { name: "Van", lines } });
  await editProduct(admin, product, { minimum_order: 50 });
  await admin.call("deleteProduct", { params: { id: product._id } });
  expect((await buyer.call("findSavedList", { params: { id } })).lines).toEqual(lines);
});

test("lists are part of the account's data", async () => {
  const user = await register(store);
  const list = await user.call("addSavedList", { body: { name: "Van", lines: [lineOf(wrench, 20)] } });
  expect((await user.call("downloadData", {})).savedLists).toEqual([list]);
});

test("lists are limited by the database too", async () => {
  const { _id: id } = await buyer.call("addSavedList", {
    body: { name: "Van", lines: [lineOf(wrench, 20)] },
  });
  for (const wrong of [
    "name = ''",
    "name = repeat('x', 81)",
    "position = 0",
    "position = 101",
    "version = 0",
  ])
    await expect(store.pool.query(`UPDATE shop.saved_list SET ${wrong} WHERE id = $1`, [id])).rejects.toThrow(
      /check constraint/,
    );
  for (const wrong of ["quantity = 0", "quantity = 1000001", "position = 0", "position = 5001"])
    await expect(
      store.pool.query(`UPDATE shop.saved_list_line SET ${wrong} WHERE list_id = $1`, [id]),
    ).rejects.toThrow(/check constraint/);
  await expect(
    store.pool.query("UPDATE shop.saved_list_line SET product_id = gen_random_uuid() WHERE list_id = $1", [
      id,
    ]),
  ).rejects.toThrow(/foreign key/);
});
