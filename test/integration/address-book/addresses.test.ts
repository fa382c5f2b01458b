/** The address book of an account, through the calls and in SQL. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type TestStore } from "../../harness/store.ts";
import { register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let buyer: SignedIn;

beforeAll(async () => {
  store = await openStore();
  buyer = await register(store, "Ada Lovell");
});
afterAll(() => store.stop());

const address = { name: "Yard", address: "Unit 6, Canal Yard, Port Harrow" };
const addressesOf = async (user: SignedIn) => (await user.call("listAddresses", {})).addresses;

test("addresses are added, listed by name, changed and deleted", async () => {
  const user = await register(store);
  expect(await addressesOf(user)).toEqual([]);
  const first = await user.call("addAddress", { body: address });
  expect(first).toEqual({ _id: expect.any(String), ...address });
  const full = {
    name: " depot ",
    address: " 14 Mill Lane ",
    contact: " Piet Marlowe ",
    phone: " +1 555 0100 ",
  };
  const trimmed = { name: "depot", address: "14 Mill Lane", contact: "Piet Marlowe", phone: "+1 555 0100" };
  const second = await user.call("addAddress", { body: full });
  expect(second).toEqual({ _id: expect.any(String), ...trimmed });
  expect(await addressesOf(user)).toEqual([second, first]);
  const changed = { name: "Zeta", address: "1 Quay", contact: "", phone: "" };
  const saved = await user.call("saveAddress", { params: { id: second._id }, body: changed });
  expect(saved).toEqual({ _id: second._id, name: "Zeta", address: "1 Quay" });
  expect(await addressesOf(user)).toEqual([first, saved]);
  const params = { id: first._id };
  expect(await user.call("deleteAddress", { params })).toEqual({ deletedCount: 1 });
  expect(await addressesOf(user)).toEqual([saved]);
  for (const refused of [
    await user.send("deleteAddress", { params }),
    await user.send("saveAddress", { params, body: address }),
  ])
    expect([refused.status, refused.body.detail]).toEqual([404, "This address is not in your address book."]);
});

test("another account neither sees, changes nor deletes them", async () => {
  const stranger = await register(store);
  const { _id: id } = await buyer.call("addAddress", { body: address });
  const before = await addressesOf(buyer);
  expect(await addressesOf(stranger)).toEqual([]);
  for (const refused of [
    await stranger.send("saveAddress", { params: { id }, body: { ...address, name: "Mine" } }),
    await stranger.send("deleteAddress", { params: { id } }),
  ])
    expect(refused.status).toBe(403);
  expect(await addressesOf(buyer)).toEqual(before);
});

test.each([
  [{ name: " " }, "name", "Enter a name for this place."],
  [{ name: undefined }, "name", "Enter a name for this place."],
  [{ name: "x".repeat(81) }, "name", "Use at most 80 characters."],
  [{ address: "" }, "address", "Address is required"],
  [{ address: "x".repeat(501) }, "address", "Use at most 500 characters."],
  [
    { address: "a\u0000b" },
    "address",
    "The text contains a character that cannot be stored, such as a tab. Delete it, or type the text again.",
  ],
  [{ contact: "x".repeat(121) }, "contact", "Use at most 120 characters."],
  [{ phone: "x".repeat(41) }, "phone", "Use at most 40 characters."],
])("refuses %o", async (wrong, field, text) => {
  const before = await addressesOf(buyer);
  const body = { ...address, ...wrong };
  const added = await buyer.send("addAddress", { body });
  expect([added.status, added.body.fields]).toEqual([422, { [field]: text }]);
  const saved = await buyer.send("saveAddress", { params: { id: randomUUID() }, body });
  expect([saved.status, saved.body.fields]).toEqual([422, { [field]: text }]);
  expect(await addressesOf(buyer)).toEqual(before);
});

test("an address book has at most 100, also with concurrent additions", async () => {
  const user = await register(store);
  await store.pool.query(
    `INSERT INTO shop.address (user_id, position, name, address)
     SELECT id, place, 'Site ' || place, 'Somewhere' FROM shop.user, generate_series(1, 97) AS place WHERE email = $1`,
    [user.email],
  );
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => user.send("addAddress", { body: { ...address, name: `Yard ${n}` } })),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409]);
  expect(replies.find(({ status }) => status === 409)?.body.detail).toBe(
    "An address book has at most 100 addresses. Delete one that you do not need.",
  );
  const saved = await addressesOf(user);
  expect(saved).toHaveLength(100);
  await user.call("deleteAddress", { params: { id: saved[50]?._id ?? "" } });
  await user.call("addAddress", { body: address });
  expect(await addressesOf(user)).toHaveLength(100);
});

// such as after a lost response, at checkout or by hand
test("an address that is in the book is not added again, also by concurrent requests and to a full book", async () => {
  const user = await register(store);
  const body = { ...address, contact: "Piet Marlowe" };
  const add = () => user.call("addAddress", { body });
  const [first, ...others] = await Promise.all([add(), add(), add()]);
  expect(others).toEqual([first, first]);
  expect(await addressesOf(user)).toEqual([first]);
  for (const other of [{ name: "Yard 2" }, { address: "1 Quay" }, { contact: "" }, { phone: "+1 555 0100" }])
    await user.call("addAddress", { body: { ...body, ...other } });
  expect(await addressesOf(user)).toHaveLength(5);
  await store.pool.query(
    `INSERT INTO shop.address (user_id, position, name, address)
     SELECT id, place, 'Site ' || place, 'Somewhere' FROM shop.user, generate_series(6, 100) AS place WHERE email = $1`,
    [user.email],
  );
  expect(await add()).toEqual(first);
});

test("addresses are part of the account's data", async () => {
  const user = await register(store);
  const added = await user.call("addAddress", { body: address });
  expect((await user.call("downloadData", {})).addresses).toEqual([added]);
});

test("addresses are limited by the database too", async () => {
  const { _id: id } = await buyer.call("addAddress", { body: address });
  for (const wrong of [
    "name = ''",
    "name = repeat('x', 81)",
    "address = ''",
    "address = repeat('x', 501)",
    "contact = repeat('x', 121)",
    "phone = repeat('x', 41)",
    "position = 0",
    "position = 101",
  ])
    await expect(store.pool.query(`UPDATE shop.address SET ${wrong} WHERE id = $1`, [id])).rejects.toThrow(
      /check constraint/,
    );
  await expect(
    store.pool.query("UPDATE shop.address SET user_id = gen_random_uuid() WHERE id = $1", [id]),
  ).rejects.toThrow(/foreign key/);
});
