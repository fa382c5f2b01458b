/** The responses of section 7, member by member. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusals } from "../../shop/texts/refusals.ts";
import { clientOf } from "../harness/client.ts";
import {
  addProduct,
  confirmCard,
  drill,
  dropWebhooks,
  endUndoTime,
  openPaymentFor,
  payFor,
  placeFor,
} from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, register, type SignedIn, verifyEmail } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  await dropWebhooks(store);
  admin = await adminOf(store);
  buyer = await register(store, "Ada Buyer");
});
afterAll(() => store.stop());

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe("a user", () => {
  test("PUT /user/{email} returns a token and nothing else", async () => {
    const response = await buyer.call("issueToken", { params: { email: buyer.email }, body: {} });
    expect(response).toEqual({ token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) });
  });

  test("GET /user/{email} returns the role and the given profile fields", async () => {
    const someone = await register(store, "Peter Profile");
    const { email } = someone;
    const find = () => someone.call("findUser", { params: { email } });
    expect(await find()).toEqual({ email, name: "Peter Profile", role: "user", emailVerified: false });
    const profile = {
      education: "Engineer",
      location: "Port Harrow",
      phone: "+1 555 0100",
      linkedin: "in/peter",
    };
    for (const [field, value] of Object.entries(profile)) {
      const response = await someone.call("updateProfile", { params: { email }, body: { [field]: value } });
      expect(response).toEqual({ lastErrorObject: { updatedExisting: true } });
    }
    expect(await find()).toEqual({
      email,
      name: "Peter Profile",
      role: "user",
      emailVerified: false,
      ...profile,
    });
  });

  test("emails are case-insensitive", async () => {
    const email = buyer.email.toUpperCase();
    expect(await buyer.call("findUser", { params: { email } })).toMatchObject({ email: buyer.email });
  });

  test("GET /user returns all users to an admin", async () => {
    const users = await admin.call("listUsers", {});
    expect(users.map((user) => user.email)).toEqual(expect.arrayContaining([buyer.email, admin.email]));
  });

  test("PUT /user/admin/{email} returns modifiedCount 1, and 0 for an existing admin", async () => {
    const next = await register(store, "Nora Next");
    const params = { email: next.email };
    const promote = () => admin.call("makeAdmin", { params, body: undefined });
    // an unconfirmed email needs a second confirmation
    for (const body of [undefined, { confirmUnconfirmed: false }]) {
      const refused = await admin.send("makeAdmin", { params, body });
      expect(refused).toMatchObject({
        status: 422,
        body: { fields: { confirmUnconfirmed: expect.any(String) } },
      });
    }
    const responses = await Promise.all([
      admin.call("findUser", { params }),
      admin.call("listUsers", {}).then((users) => users.find(({ email }) => email === next.email)),
      admin.call("searchUsers", { query: { q: next.email } }).then(({ users }) => users[0]),
    ]);
    expect(responses).toEqual(
      responses.map(() => expect.objectContaining({ role: "user", emailVerified: false })),
    );
    await verifyEmail(store.pool, next.email);
    const confirmed = await logIn(store, next);
    expect(await promote()).toEqual({ modifiedCount: 1 });
    expect(await promote()).toEqual({ modifiedCount: 0 });
    // the role applies from the next call on, with the same token
    expect(await confirmed.call("listUsers", {})).not.toHaveLength(0);
  });

  test("PUT /user/admin/{email} refuses a closed account", async () => {
    const { email } = await register(store, "Clara Closed");
    const params = { email };
    await admin.call("closeUser", { params, body: { closed: true } });
    const reply = await admin.send("makeAdmin", { params, body: { confirmUnconfirmed: true } });
    expect(reply).toMatchObject({ status: 404, body: { detail: "No user has this email." } });
    const promoted = store.pool.query("UPDATE shop.user SET role = 'admin' WHERE email = $1", [email]);
    await expect(promoted).rejects.toThrow("user_open_admin_check");
  });

  test("PUT /user/admin/{email} refuses an unknown email", async () => {
    const reply = await admin.send("makeAdmin", { params: { email: "nobody@buyers.example" } });
    expect(reply).toMatchObject({ status: 404, body: { detail: "No user has this email." } });
  });
});

describe("a product", () => {
  test("POST /products returns insertedId, and GET /products/{id} what was sent", async () => {
    const response = await admin.call("addProduct", { body: drill });
    expect(response).toEqual({ insertedId: uuid });
    const found = await clientOf(store).call("findProduct", { params: { id: response.insertedId } });
    expect(found).toMatchObject({ _id: response.insertedId, ...drill });
  });

  test("keeps the optional members of the catalogue as sent", async () => {
    const more = {
      itemNumber: "ID 13-700",
      category: "Drilling",
      keyFact: "13 mm chuck",
      powerSource: "Mains",
      technicalData: [
        { name: "Power", value: "700 W" },
        { name: "Mass", value: "1.9 kg" },
      ],
      drawnBox: [20, 30, 600, 400] as [number, number, number, number],
      dimensions: { width: 280, height: 210.5 },
    };
    expect(await addProduct(admin, more)).toMatchObject(more);
  });

  test("has a picture that the table accepts, in capitals too, or is refused", async () => {
    const add = (picture: string) => admin.send("addProduct", { body: { ...drill, picture } });
    const added = await add("HTTPS://pictures.example/A.png");
    expect(added.status).toBe(200);
    const params = { id: added.body.insertedId };
    expect(await clientOf(store).call("findProduct", { params })).toMatchObject({
      picture: "https://pictures.example/A.png",
    });
    for (const picture of ["/", "http:evil.example", "HTTP:evil.example"])
      expect(await add(picture), picture).toMatchObject({
        status: 422,
        body: { fields: { picture: "Enter a web address or a path on this site." } },
      });
  });

  test("is refused with an item number in use", async () => {
    await addProduct(admin, { itemNumber: "TWICE 1" });
    const reply = await admin.send("addProduct", { body: { ...drill, itemNumber: "TWICE 1" } });
    expect(reply).toMatchObject({ status: 422, body: { fields: { itemNumber: expect.any(String) } } });
  });

  test("GET /products returns an array with the new product", async () => {
    const product = await addProduct(admin);
    const list = await clientOf(store).call("listProducts", {});
    expect(Array.isArray(list)).toBe(true);
    expect(list).toContainEqual(product);
  });

  test("GET the suggestions of a search returns at most eight, to anyone", async () => {
    for (let number = 1; number <= 9; number += 1)
      await addProduct(admin, { name: `Suggested saw ${number}` });
    const nobody = clientOf(store);
    const { tools, total } = await nobody.call("suggestTools", { query: { q: "suggested saw" } });
    expect([tools.length, total]).toEqual([8, 9]);
    const members = ["_id", "minimum_order", "name", "picture", "price", "quantity"];
    expect(Object.keys(tools[0] ?? {}).sort()).toEqual(members);
    expect((await nobody.send("suggestTools", { query: { q: " " } })).status).toBe(422);
  });

  test("DELETE /products/{id} returns deletedCount 1; then it is gone, and its purchases stay", async () => {
    const product = await addProduct(admin);
    const purchase = await placeFor(buyer, product);
    const params = { id: product._id };
    expect(await admin.call("deleteProduct", { params })).toEqual({ deletedCount: 1 });
    expect((await admin.send("deleteProduct", { params })).status).toBe(404);
    expect((await clientOf(store).send("findProduct", { params })).status).toBe(404);
    expect(await clientOf(store).call("listProducts", {})).not.toContainEqual(product);
    expect(await admin.call("listPurchases", {})).toContainEqual(purchase);
  });
});

describe("a review", () => {
  test("hidden by an admin is in no public response until it is shown again", async () => {
    const text = `Call 555 0100, ${crypto.randomUUID()}`;
    const { insertedId: id } = await buyer.call("addReview", { body: { rating: 1, description: text } });
    const visitor = clientOf(store);
    const isPublic = async () => {
      const pages = await Promise.all(["/", "/reviews"].map((path) => visitor.fetch(path)));
      const bodies = await Promise.all(pages.map((page) => page.text()));
      return bodies.map((body) => body.includes(text));
    };
    const setHidden = (hidden: boolean) => admin.call("hideReview", { params: { id }, body: { hidden } });
    const listed = async (query: { hidden?: "1" }) =>
      (await admin.call("searchReviews", { query: { ...query, q: text } })).reviews;
    expect(await isPublic()).toEqual([true, true]);
    expect(await setHidden(true)).toEqual({ modifiedCount: 1 });
    expect(await isPublic()).toEqual([false, false]);
    expect(await setHidden(true)).toEqual({ modifiedCount: 0 });
    for (const query of [{}, { hidden: "1" as const }])
      expect(await listed(query)).toMatchObject([{ _id: id, hidden: true, email: buyer.email }]);
    const own = await buyer.call("downloadData", {});
    expect(own.reviews).toContainEqual(expect.objectContaining({ _id: id }));
    expect(await setHidden(false)).toEqual({ modifiedCount: 1 });
    expect(await isPublic()).toEqual([true, true]);
    expect(await listed({ hidden: "1" })).toEqual([]);
    const { events } = await admin.call("listHistory", { query: { subject: "review", q: buyer.name } });
    expect(events.filter(({ subjectId }) => subjectId === id)).toMatchObject(
      ["shown again", "hidden"].map((what) => ({ what, role: "admin", who: { email: admin.email } })),
    );
  });

  test("that does not exist cannot be hidden", async () => {
    const params = { id: "00000000-0000-7000-8000-000000000000" };
    const reply = await admin.send("hideReview", { params, body: { hidden: true } });
    expect(reply).toMatchObject({ status: 404, body: { detail: "This review does not exist." } });
  });

  test("POST /reviews returns insertedId, and GET /reviews the newest first with the author's name", async () => {
    const body = { name: "Somebody Else", rating: 4.5, description: "Does what it should.\nEvery day." };
    const response = await buyer.call("addReview", { body });
    expect(response).toEqual({ insertedId: uuid });
    const [newest] = await clientOf(store).call("listReviews", {});
    expect(newest).toEqual({
      _id: response.insertedId,
      name: buyer.name,
      rating: 4.5,
      description: "Does what it should.\nEvery day.",
    });
  });
});

describe("a purchase", () => {
  test("POST /purchase returns it with its _id, unpaid", async () => {
    const product = await addProduct(admin);
    const purchase = await buyer.call("placePurchase", {
      body: {
        name: buyer.name,
        email: buyer.email,
        address: " Unit 6, Canal Yard ",
        phone: " 555 0100 ",
        purchaseQuantity: 12,
        productId: product._id,
      },
    });
    expect(purchase).toEqual({
      _id: uuid,
      orderId: uuid,
      name: buyer.name,
      email: buyer.email,
      address: "Unit 6, Canal Yard",
      phone: "555 0100",
      purchaseQuantity: 12,
      productName: product.name,
      picture: product.picture,
      price: 12.5,
      total: 150,
      status: "unpaid",
      productId: product._id,
      placedAt: instant,
      keptUntil: instant,
    });
  });

  test("GET /purchase/{email} returns the user's own, and GET /purchase all, newest first", async () => {
    const someone = await register(store, "Petra Purchases");
    const product = await addProduct(admin);
    const first = await placeFor(someone, product);
    const second = await placeFor(someone, product);
    expect(await someone.call("listPurchasesOf", { params: { email: someone.email } })).toEqual([
      second,
      first,
    ]);
    const all = await admin.call("listPurchases", {});
    expect(all.slice(0, 2)).toEqual([second, first]);
    expect(new Set(all.map((purchase) => purchase.email)).size).toBeGreaterThan(1);
  });

  test("DELETE /purchase/{id} returns deletedCount 1; then it is gone for everyone", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    const params = { id: purchase._id };
    expect(await buyer.call("cancelPurchase", { params })).toEqual({ deletedCount: 1 });
    expect(await buyer.send("cancelPurchase", { params })).toMatchObject({
      status: 404,
      body: { detail: "This order does not exist or was cancelled." },
    });
    expect((await admin.send("findPayment", { params })).status).toBe(404);
    expect(await admin.call("listPurchases", {})).not.toContainEqual(purchase);
  });

  test("an admin may cancel an unpaid one too", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    expect(await admin.call("cancelPurchase", { params: { id: purchase._id } })).toEqual({ deletedCount: 1 });
  });

  test("PATCH /shipment/{id} returns modifiedCount 1, only for a paid one, once", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    const params = { id: purchase._id };
    expect(await admin.send("shipPurchase", { params })).toMatchObject({
      status: 409,
      body: { detail: "This order is not paid yet and cannot be shipped." },
    });
    await payFor(store, buyer, purchase);
    expect(await admin.call("shipPurchase", { params })).toEqual({ modifiedCount: 1 });
    expect(await admin.send("shipPurchase", { params })).toMatchObject({
      status: 409,
      body: { detail: "This order is already shipped." },
    });
    expect(await buyer.send("cancelPurchase", { params })).toMatchObject({
      status: 409,
      body: { detail: "This order is already shipped and can no longer be cancelled." },
    });
  });

  test("DELETE /shipment/{id} undoes a shipment within ten seconds, for admins, before its email is sent", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    const params = { id: purchase._id };
    const undo = () => admin.send("undoShipment", { params });
    const refused = (detail: string) => ({ status: 409, body: { detail } });
    await payFor(store, buyer, purchase);
    expect(await undo()).toMatchObject(refused(refusals.notShipped));
    await admin.call("shipPurchase", { params });
    expect(await buyer.send("undoShipment", { params })).toMatchObject({ status: 403 });
    expect(await undo()).toMatchObject({ status: 200, body: { modifiedCount: 1 } });
    const { status, shippedAt, timeline } = await buyer.call("findOrder", { params });
    expect([status, shippedAt]).toEqual(["paid", undefined]);
    expect(timeline.map(({ what }) => what)).toEqual(["placed", "paid", "shipped", "shipmentUndone"]);
    const { events } = await admin.call("listHistory", { query: { purchaseId: purchase._id } });
    expect(events[0]).toMatchObject({ what: "shipment undone", who: { email: admin.email } });

    await admin.call("shipPurchase", { params });
    const queued = () =>
      store.pool.query(
        "SELECT FROM graphile_worker._private_jobs WHERE key = 'shipped-' || (SELECT shipment_id FROM shop.shipment_line WHERE purchase_id = $1)",
        [purchase._id],
      );
    expect((await queued()).rowCount).toBe(1);
    await store.pool.query(
      "UPDATE shop.shipment SET shipped_at = shipped_at - interval '10 seconds' WHERE order_id = $1",
      [purchase.orderId],
    );
    expect(await undo()).toMatchObject(refused(refusals.undoTooLate));
    await store.pool.query("UPDATE shop.shipment SET shipped_at = now() WHERE order_id = $1", [
      purchase.orderId,
    ]);
    await endUndoTime(store);
    await expect.poll(async () => (await queued()).rowCount).toBe(0);
    expect(await undo()).toMatchObject(refused(refusals.undoTooLate));
    expect((await admin.call("findOrder", { params })).status).toBe("shipped");
  });
});

describe("a payment", () => {
  test("GET /payment/{id} returns what the payment page shows", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin), 20);
    const response = await buyer.call("findPayment", { params: { id: purchase._id } });
    expect(response).toEqual({
      _id: purchase._id,
      name: buyer.name,
      email: buyer.email,
      productName: drill.name,
      picture: drill.picture,
      price: 12.5,
      purchaseQuantity: 20,
      total: 250,
      status: "unpaid",
      keptUntil: instant,
    });
  });

  test("POST /create-payment-intent returns clientSecret and nothing else, by total alone too", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin), 11);
    const byTotal = await buyer.call("createPaymentIntent", { body: { total: 137.5 } });
    expect(byTotal).toEqual({ clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/) });
    const byId = await buyer.call("createPaymentIntent", {
      body: { total: 137.5, purchaseId: purchase._id },
    });
    expect(byId).toEqual(byTotal);
  });

  test("PATCH /payment/{id} returns modifiedCount 1 and the transaction id, then 0", async () => {
    const purchase = await placeFor(buyer, await addProduct(admin));
    const payment = await openPaymentFor(buyer, purchase);
    await confirmCard(store, buyer, payment);
    const confirm = () =>
      buyer.call("confirmPayment", {
        params: { id: purchase._id },
        body: { transactionId: payment.id, buyer: buyer.name },
      });
    expect(await confirm()).toEqual({ modifiedCount: 1, transactionId: payment.id });
    expect(await confirm()).toEqual({ modifiedCount: 0, transactionId: payment.id });
    const [paid] = await buyer.call("listPurchasesOf", { params: { email: buyer.email } });
    expect(paid).toMatchObject({ status: "paid", transactionId: payment.id, paidAt: instant });
  });
});
