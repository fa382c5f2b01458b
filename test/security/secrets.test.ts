/** What must never be logged or readable by other users of the machine. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSecrets } from "../../server/secrets.ts";
import { addProduct, cards, confirmCard, openPaymentFor, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, postIdentity, signUp } from "../harness/users.ts";

let store: TestStore;
const lines: string[] = [];
beforeAll(async () => {
  store = await openStore({ environment: { LOG_LEVEL: "trace" } });
  const { stream } = store.logs;
  const write = stream.write.bind(stream);
  stream.write = (line) => {
    lines.push(line);
    write(line);
  };
});
afterAll(() => store.stop());

test("logs contain no token, password, card, name, email or link at the trace level", async () => {
  const admin = await adminOf(store);
  const user = await signUp(store, "Paula Private");
  const again = await logIn(store, user);
  const tool = await addProduct(admin);
  const purchase = await placeFor(user, tool);
  await payFor(store, user, purchase);
  const declined = await openPaymentFor(user, await placeFor(user, tool));
  await confirmCard(store, user, declined, cards.declined);
  await admin.call("shipPurchase", { params: { id: purchase._id } });
  await user.call("downloadData", {});
  await admin.send("findUser", { params: { email: user.email } });
  await user.send("updateProfile", { params: { email: user.email }, body: { phone: "+44 1632 960961" } });
  // and failures
  await postIdentity(store, "/api/auth/sign-in/email", { email: user.email, password: "a wrong password" });
  await postIdentity(store, "/api/auth/sign-up/email", { ...user, password: "a second password" });
  await postIdentity(store, "/api/auth/request-password-reset", { email: user.email });
  await expect
    .poll(async () => JSON.stringify(await store.outbox()), { timeout: 10_000 })
    .toContain("reset-password?token=");
  const links = (await store.outbox())
    .flatMap(({ text }) => text.match(/token=[\w.-]+/g) ?? [])
    .map((one) => one.slice(6));
  expect(links.length).toBeGreaterThan(1);
  for (const token of links) {
    await fetch(`${store.url}/reset-password?token=${token}`);
    await fetch(`${store.url}/api/auth/reset-password/${token}?callbackURL=/`, { redirect: "manual" });
    await fetch(`${store.url}/api/auth/verify-email?token=${token}`, { redirect: "manual" });
  }
  await user.fetch("/user/%ff", {});
  await user.fetch("/reviews", {
    method: "POST",
    body: `{"${user.password}`,
    headers: { "content-type": "application/json" },
  });
  await again.signOut();
  // failures, which contain the most details
  await store.pool.query("ALTER TABLE shop.review RENAME TO gone");
  expect((await user.send("addReview", { body: { rating: 5, description: "Private words." } })).status).toBe(
    500,
  );
  await store.pool.query("ALTER TABLE shop.gone RENAME TO review");
  store.logs.expect(/does not exist/);

  const log = lines.join("\n");
  expect(lines.length).toBeGreaterThan(50);
  const sessions = [user, again, admin].map(
    ({ cookie }) => decodeURIComponent(cookie.split("=")[1] ?? "").split(".")[0] ?? "",
  );
  for (const secret of [
    ...[user, admin, again].flatMap(({ token, password, email }) => [
      token,
      token.split(".")[2] ?? "",
      password,
      email,
      encodeURIComponent(email),
    ]),
    ...sessions,
    ...links,
    "a wrong password",
    "a second password",
    "4242424242424242",
    "4000000000000002",
    "_secret_",
    "Private words",
    "Paula Private",
    "Canal Yard",
    "127.0.0.1",
    "1632 960961",
    store.tokenSecret,
  ]) {
    expect(secret.length).toBeGreaterThan(5);
    expect(log.includes(secret), `the log contains ${secret}`).toBe(false);
  }
  const requests = lines.map((line) => JSON.parse(line)).filter(({ req, res }) => req ?? res);
  expect(requests.length).toBeGreaterThan(50);
  for (const { requestId } of requests) expect(requestId).toMatch(/^[0-9a-f]{16}$/);
  expect(log.match(/[\w.+-]+(@|%40)[\w-]+\.[\w.]+/gi), "emails").toBeNull();
});

test("a failure of the identity library is logged, and the user gets a clear message", async () => {
  const user = await signUp(store);
  await store.pool.query(`
    CREATE FUNCTION identity.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken on purpose'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON identity.session EXECUTE FUNCTION identity.fail()`);
  const response = await postIdentity(store, "/api/auth/sign-in/email", user);
  await store.pool.query("DROP FUNCTION identity.fail CASCADE");
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ message: "Something went wrong in the store. Try again." });
  for (const line of store.logs.expect(/broken on purpose/))
    expect(JSON.parse(line)).toMatchObject({ level: 50 });
});

test("secrets and emails are readable by the store's user only", async () => {
  const modeOf = async (...path: string[]) =>
    ((await stat(join(store.dataDir, ...path))).mode & 0o777).toString(8);
  expect(await modeOf("secret")).toBe("600");
  expect(await modeOf("outbox")).toBe("700");
  for (const name of await readdir(join(store.dataDir, "outbox")))
    expect(await modeOf("outbox", name)).toBe("600");
});

test("each purpose has its own secret", async () => {
  const secrets = await openSecrets({ DATA_DIR: store.dataDir }, store.pool);
  const all = ["identity", "tokens", "devices", "sandbox webhook"].map(secrets);
  expect(new Set(all).size).toBe(all.length);
  for (const one of all) expect(one).toMatch(/^[\w-]{43}$/);
});
