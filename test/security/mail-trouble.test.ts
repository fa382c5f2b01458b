/** A mail that the mail server does not take: tried again, and not hidden from the admin. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mailbox, startMailbox } from "../harness/mailbox.ts";
import { adminOf, register } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";

let mailbox: Mailbox;
let store: TestStore;
beforeAll(async () => {
  // the first admin's mail and the one of this test
  mailbox = await startMailbox({ refuseFirst: 2 });
  store = await openStore({ environment: { SMTP_URL: mailbox.url } });
});
afterAll(async () => {
  await store.stop();
  await mailbox.stop();
});

test("a refused mail stands with the admin until it has left, and leaves when asked to", async () => {
  const admin = await adminOf(store);
  const troubled = async (to: string) =>
    (await admin.call("listTroubledMails", {})).mails.find((mail) => mail.to === to);
  await expect.poll(() => troubled(admin.email), { timeout: 10_000 }).toBeDefined();
  const { email } = await register(store, "Rita Refused");
  await expect.poll(() => troubled(email), { timeout: 10_000, interval: 50 }).toBeDefined();
  // as after the last of many tries: given up, and still there
  await store.pool.query(
    "UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE payload->>'email' = $1",
    [email],
  );
  const mail = await troubled(email);
  expect(mail).toMatchObject({ kind: "verifyEmail", problem: expect.stringContaining("Try later") });
  expect(mail).not.toHaveProperty("nextTry");
  expect(JSON.stringify(mail)).not.toMatch(/token=/);
  expect(await admin.call("retryMail", { params: { job: mail?.id ?? "" } })).toEqual({ modifiedCount: 1 });
  const arrived = () => mailbox.received.filter(({ to }) => to.includes(email)).length;
  await expect.poll(arrived, { timeout: 15_000 }).toBe(1);
  await expect.poll(() => troubled(email), { timeout: 5000 }).toBeUndefined();
  store.logs.expect(/send-mail/);
});
