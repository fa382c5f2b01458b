/** The emails of a purchase and of an account, in the outbox and over a real SMTP conversation. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Purchase } from "../../../api/entities.ts";
import { type ReceivedEmail, startMailbox } from "../../harness/mailbox.ts";
import { addProduct, endUndoTime, payFor, placeFor, placeOrderFor } from "../../harness/orders.ts";
import { type OutboxEmail, openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, logIn, postIdentity, type SignedIn, signUp } from "../../harness/users.ts";

/** Orders, pays, has the order shipped, then orders again and cancels: every email of a purchase. */
async function causeOrderEmails(store: TestStore): Promise<{ buyer: SignedIn; transactionId: string }> {
  const admin = await adminOf(store);
  const buyer = await signUp(store, "Ingrid Halloran");
  const product = await addProduct(admin);
  const purchase = await placeFor(buyer, product, 12);
  const transactionId = await payFor(store, buyer, purchase);
  await admin.call("shipPurchase", { params: { id: purchase._id } });
  await endUndoTime(store);
  const other = await placeFor(buyer, product);
  await buyer.call("cancelPurchase", { params: { id: other._id } });
  return { buyer, transactionId };
}

describe("without SMTP_URL", () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore({
      environment: {
        SELLER_NAME: "Harrow Tools",
        SELLER_ADDRESS: "1 Dock Road; Harrow",
        SELLER_EMAIL: "sales@harrow.example",
        SELLER_PHONE: "555 0142 0199",
      },
    });
  });
  afterAll(() => store.stop());

  test("every email is a file in the outbox: confirm, placed, paid, shipped, placed, cancelled", async () => {
    const { buyer, transactionId } = await causeOrderEmails(store);
    await expect.poll(async () => (await store.outbox(buyer.email)).length, { timeout: 15_000 }).toBe(6);
    const emails = await store.outbox(buyer.email);
    const about = (pattern: RegExp) => emails.filter((mail) => pattern.test(mail.subject)) as [OutboxEmail];
    expect(
      emails.every((mail) => mail.text.includes("Ingrid Halloran") && mail.html.includes("Ingrid Halloran")),
    ).toBe(true);
    for (const { text, html } of emails)
      for (const part of [text, html]) {
        expect(part).toContain("Harrow Tools, 1 Dock Road, Harrow");
        expect(part).toContain("sales@harrow.example, 555 0142 0199");
      }
    expect(about(/confirm/i)).toHaveLength(1);
    const [paid] = about(/paid|payment/i);
    expect(paid.text).toContain(transactionId);
    expect(paid.text).toContain("$150.00");
    expect(about(/ship/i)[0].text).toContain(transactionId);
    expect(about(/cancel/i)).toHaveLength(1);
  });

  test("the emails of an order of one line name its PO number, carrier and tracking number", async () => {
    const [admin, buyer] = [await adminOf(store), await signUp(store, "Tara Track")];
    const order = await placeOrderFor(buyer, [[await addProduct(admin), 12]], { poNumber: "HFO-4471" });
    const purchase = order.lines[0] as Purchase;
    await payFor(store, buyer, purchase);
    const lines = [{ purchaseId: purchase._id, quantity: 12 }];
    const body = { lines, carrier: "Northway", trackingNumber: "1Z 999" };
    await admin.call("shipOrder", { params: { id: purchase._id }, body });
    await endUndoTime(store);
    const shipped = async () =>
      (await store.outbox(buyer.email)).find(({ subject }) => subject.startsWith("Shipped"));
    await expect.poll(async () => (await shipped())?.text, { timeout: 10_000 }).toContain("1Z 999");
    expect((await shipped())?.text).toContain("Northway");
    const ofOrder = (await store.outbox(buyer.email)).filter(({ subject }) => !/confirm/i.test(subject));
    expect(ofOrder).toHaveLength(3);
    for (const { text, html } of ofOrder) for (const part of [text, html]) expect(part).toContain("HFO-4471");
    const links = ofOrder.flatMap(({ text }) =>
      text.match(/http.*\/(dashboard\/order|orders|shipments)\/.*/g),
    );
    expect(links.map((link) => link?.split("/").at(-1))).toEqual(
      expect.arrayContaining([
        "confirmation.pdf",
        expect.stringMatching(/^invoice\.pdf\?number=/),
        "packing-slip.pdf",
        order._id,
      ]),
    );
    for (const link of links) {
      expect(link).toContain(`${store.url}/`);
      expect((await buyer.fetch(link?.slice(store.url.length) ?? "")).status, link ?? "").toBe(200);
    }
  });

  test("emails of orders go to the buyer's current email address", async () => {
    const [admin, buyer] = [await adminOf(store), await signUp(store, "Mona Moved")];
    const purchase = await placeFor(buyer, await addProduct(admin), 12);
    const order = await placeOrderFor(buyer, [
      [await addProduct(admin), 10],
      [await addProduct(admin), 20],
    ]);
    const email = `moved.${buyer.email}`;
    await store.pool.query("UPDATE shop.user SET email = $2 WHERE email = $1", [buyer.email, email]);
    await admin.call("cancelPurchase", { params: { id: purchase._id } });
    await admin.call("cancelOrder", { params: { id: order._id } });
    const cancelled = async () =>
      (await store.outbox(email)).filter(({ subject }) => /cancel/i.test(subject)).length;
    await expect.poll(cancelled, { timeout: 10_000 }).toBe(2);
  });

  test("the link of the verification email confirms the email address", async () => {
    const buyer = await signUp(store, "Vera Verify");
    const [mail] = await waitForSome(() => store.outbox(buyer.email));
    const link = /https?:\/\/\S+verify-email\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    expect(link.startsWith(`${store.url}/`)).toBe(true);
    const opened = await fetch(link, { redirect: "manual", headers: { cookie: buyer.cookie } });
    expect(opened.headers.get("location")).toBe("/login?verified=1");
    const { rows } = await store.pool.query('SELECT "emailVerified" FROM identity."user" WHERE email = $1', [
      buyer.email,
    ]);
    expect(rows).toEqual([{ emailVerified: true }]);
  });

  test("the link of the reset email sets a new password once, and ends every session", async () => {
    const buyer = await signUp(store, "Rita Reset");
    const response = await postIdentity(store, "/api/auth/request-password-reset", { email: buyer.email });
    expect(response.status).toBe(200);
    const [mail] = await waitForSome(async () =>
      (await store.outbox(buyer.email)).filter((one) => /password/i.test(one.subject)),
    );
    const link = new URL(/https?:\/\/\S+reset-password\S+/.exec(mail?.text ?? "")?.[0] ?? "");
    expect((await fetch(link)).status).toBe(200);
    const set = (newPassword: string) =>
      postIdentity(store, "/api/auth/reset-password", { token: link.searchParams.get("token"), newPassword });
    expect((await set("a new password")).status).toBe(200);
    expect((await set("yet another one")).status).toBe(400);
    expect((await buyer.send("findUser", { params: { email: buyer.email } })).status).toBe(401);
    expect((await postIdentity(store, "/api/auth/sign-in/email", buyer)).status).toBe(401);
    expect(await logIn(store, { ...buyer, password: "a new password" })).toMatchObject({
      email: buyer.email,
    });
  });

  test("a password reset for an unknown email gets the same response and sends nothing", async () => {
    const email = "nobody@buyers.example";
    const response = await postIdentity(store, "/api/auth/request-password-reset", { email });
    expect(response.status).toBe(200);
    expect(await store.outbox(email)).toEqual([]);
  });
});

describe("with SMTP_URL", () => {
  test("every email is accepted by the server, with a text and an HTML part", async () => {
    const mailbox = await startMailbox();
    const store = await openStore({ environment: { SMTP_URL: mailbox.url } });
    try {
      const { buyer, transactionId } = await causeOrderEmails(store);
      const received = () => mailbox.received.filter((mail) => mail.to.includes(buyer.email));
      await expect.poll(() => received().length, { timeout: 15_000 }).toBe(6);
      for (const mail of received()) expectWellFormed(mail, buyer.email);
      expect(received().some((mail) => mail.source.includes(transactionId))).toBe(true);
      expect(await store.outbox()).toEqual([]);
    } finally {
      await store.stop();
      await mailbox.stop();
    }
  });

  test("an email that the server temporarily rejects is sent later, once", async () => {
    const mailbox = await startMailbox({ refuseFirst: 1 });
    const store = await openStore({ environment: { SMTP_URL: mailbox.url } });
    try {
      const buyer = await signUp(store, "Late Mail");
      const received = () => mailbox.received.filter((mail) => mail.to.includes(buyer.email));
      await expect.poll(() => received().length, { timeout: 25_000 }).toBe(1);
      store.logs.expect(/send-mail/);
    } finally {
      await store.stop();
      await mailbox.stop();
    }
  });
});

function expectWellFormed({ from, source }: ReceivedEmail, to: string): void {
  expect(from).toBe("orders@localhost");
  expect(source).toMatch(/^From: .*Stator.*<orders@localhost>\r$/m);
  expect(source).toMatch(new RegExp(`^To: ${to}\\r$`, "m"));
  expect(source).toMatch(/^Subject: \S/m);
  expect(source).toMatch(/^Message-ID: <[\w-]+@localhost>\r$/m);
  expect(source).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(source).toMatch(/^Content-Type: text\/plain/m);
  expect(source).toMatch(/^Content-Type: text\/html/m);
}

/** The list, once it is not empty. */
async function waitForSome<One>(find: () => Promise<One[]>): Promise<One[]> {
  await expect.poll(async () => (await find()).length, { timeout: 10_000 }).toBeGreaterThan(0);
  return find();
}
