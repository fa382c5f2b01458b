/** Accounts: step-up before sensitive changes, and what remains after a deletion. */
import { symmetricEncrypt } from "better-auth/crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Purchase } from "../../api/entities.ts";
import { MAX_CONNECTIONS } from "../../server/pool-sizes.ts";
import { codeRefusals } from "../../shop/texts/code-refusals.ts";
import { paymentRefusals } from "../../shop/texts/payment-refusals.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { clientOf } from "../harness/client.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { waitingStatements } from "../harness/database.ts";
import { codeOf } from "../harness/one-time-code.ts";
import { addProduct, cards, confirmCard, openPaymentFor, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import {
  adminOf,
  anotherSession,
  logIn,
  postIdentity,
  register,
  type SignedIn,
  signUp,
  verifyEmail,
} from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore({ connections: MAX_CONNECTIONS });
  admin = await adminOf(store);
});
afterAll(() => store.stop());

/** Lets the hour of a step-up pass. */
const ageSessions = (user: SignedIn) =>
  store.pool.query(
    `UPDATE identity.session SET "confirmedAt" = now() - interval '61 minutes'
     WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
    [user.email],
  );

const mailTo = (email: string, subject: string) =>
  vi.waitFor(async () => {
    const found = (await store.outbox(email)).filter((mail) => mail.subject === subject).at(-1);
    expect(found, `"${subject}" to ${email}`).toBeDefined();
    return found as NonNullable<typeof found>;
  }, 10_000);

const linkIn = (text: string) => /https?:\/\/\S+/.exec(text.slice(text.indexOf(":\n")))?.[0] ?? "";

const cookieOf = (response: Response, before = "") =>
  [before, ...response.headers.getSetCookie().map((line) => line.split(";")[0])].filter(Boolean).join("; ");

test("the first admin has no session before signing in", async () => {
  expect(await admin.call("listSessions", {})).toEqual([expect.objectContaining({ current: true })]);
});

describe("sensitive changes", () => {
  test("are refused to an admin whose proof is older than an hour, until the password is entered again", async () => {
    const old = await register(store);
    await admin.call("makeAdmin", { params: { email: old.email }, body: { confirmUnconfirmed: true } });
    await ageSessions(old);
    const { email } = await register(store);
    const params = { email };
    const refused = await old.send("makeAdmin", { params });
    expect(refused).toMatchObject({ status: 403, body: { code: "identity_not_confirmed" } });
    expect(await old.send("confirmAccount", { body: { password: "not it" } })).toMatchObject({
      status: 422,
      body: { fields: { password: "The password is wrong." } },
    });
    await old.call("confirmAccount", { body: { password: old.password } });
    expect(await old.call("makeAdmin", { params, body: { confirmUnconfirmed: true } })).toEqual({
      modifiedCount: 1,
    });
    await mailTo(email, "You are now an admin");
  });

  test("a new password ends every other session and notifies the owner", async () => {
    const user = await register(store);
    const phone = await anotherSession(store, user);
    const body = { currentPassword: user.password, newPassword: "a better password" };
    expect((await postIdentity(store, "/api/auth/change-password", body, user.cookie)).status).toBe(200);
    for (const client of [phone, user]) {
      expect((await client.send("findUser", { params: { email: user.email } })).status).toBe(401);
    }
    await logIn(store, { ...user, password: "a better password" });
    await mailTo(user.email, "Your password was changed");
  });

  test("a new email needs a recent proof and a confirmed link, and both email addresses are notified", async () => {
    const user = await register(store);
    const newEmail = `new.${user.email}`;
    const send = () => postIdentity(store, "/api/auth/change-email", { newEmail }, user.cookie);
    await ageSessions(user);
    expect((await send()).status).toBe(403);
    await user.call("confirmAccount", { body: { password: user.password } });
    expect((await send()).status).toBe(200);
    const email = await mailTo(newEmail, "Confirm your email address");
    expect(email.text).not.toContain("created");
    const link = linkIn(email.text);
    expect(new URL(link).origin).toBe(store.url);
    const open = (cookie?: string) =>
      fetch(link, { redirect: "manual", headers: cookie ? { cookie } : {} }).then((response) =>
        response.headers.get("location"),
      );
    expect(await open()).toBe("/login?error=LOG_IN_FIRST");
    expect(await open(user.cookie)).toBe("/login?verified=1");
    expect(await open(user.cookie)).toBe("/login?error=TOKEN_USED");
    await mailTo(user.email, "Your email address was changed");
    const params = { email: newEmail };
    expect(await user.call("findUser", { params })).toMatchObject(params);
    await logIn(store, { ...user, email: newEmail });
    // the old email is free for another user
    const body = { name: "Somebody Else", email: user.email, password: user.password };
    const other = await postIdentity(store, "/api/auth/sign-up/email", body);
    expect(other.status).toBe(200);
  });

  test("a new email reaches both records of the account at once, also while the account is deleted", async () => {
    const user = await register(store);
    const { email } = user;
    await postIdentity(store, "/api/auth/change-email", { newEmail: `new.${email}` }, user.cookie);
    const link = linkIn((await mailTo(`new.${email}`, "Confirm your email address")).text);
    const { rows: ids } = await store.pool.query("SELECT id FROM shop.user WHERE email = $1", [email]);
    const holder = await store.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM shop.user WHERE id = $1 FOR UPDATE", [ids[0].id]);
    const opening = fetch(link, { redirect: "manual", headers: { cookie: user.cookie } });
    await untilWaiting(store, "update ", 1);
    const { rows } = await store.pool.query('SELECT email FROM identity."user" WHERE id = $1', [ids[0].id]);
    expect(rows).toEqual([{ email }]);
    const deleting = user.call("deleteAccount", { params: { email } });
    await untilWaiting(store, 'SELECT FROM identity."user"', 1);
    await holder.query("ROLLBACK");
    holder.release();
    expect((await opening).headers.get("location")).toBe("/login?verified=1");
    expect(await deleting).toEqual({ deletedCount: 1 });
    const { rows: deleted } = await store.pool.query("SELECT email FROM shop.user WHERE id = $1", [
      ids[0].id,
    ]);
    expect(deleted[0].email).toBe(`${ids[0].id}@deleted.invalid`);
  });

  test("a new email that was registered before its link is opened stays with that account", async () => {
    const user = await register(store);
    const newEmail = `new.${user.email}`;
    await postIdentity(store, "/api/auth/change-email", { newEmail }, user.cookie);
    const link = linkIn((await mailTo(newEmail, "Confirm your email address")).text);
    const body = { name: "Somebody Quick", email: newEmail, password: user.password };
    expect((await postIdentity(store, "/api/auth/sign-up/email", body)).status).toBe(200);
    const opened = await fetch(link, { redirect: "manual", headers: { cookie: user.cookie } });
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "/login?error=EMAIL_TAKEN"]);
    const { email } = user;
    expect(await user.call("findUser", { params: { email } })).toMatchObject({ email });
    await logIn(store, body);
  });

  test("that the store does not offer are refused without an error in the log", async () => {
    const { cookie, password } = await register(store);
    for (const path of ["delete-user", "two-factor/send-otp"]) {
      const refused = await postIdentity(store, `/api/auth/${path}`, { password }, cookie);
      expect(refused.status, path).toBeGreaterThanOrEqual(400);
    }
  });

  test("an email that is taken is indistinguishable from a free one", async () => {
    const [user, other] = [await register(store), await register(store)];
    const responses = await Promise.all(
      [other.email, `free.${other.email}`].map(async (newEmail) => {
        const response = await postIdentity(store, "/api/auth/change-email", { newEmail }, user.cookie);
        return [response.status, await response.json()];
      }),
    );
    expect(responses[0]).toEqual(responses[1]);
  });
});

describe("a name", () => {
  test.each(["", "   ", "\u200b\u200d\u2060", "\u00ad \u3164", null, 7, {}])(
    "without visible characters (%j) is not accepted as a new one",
    async (name) => {
      const user = await register(store, "Nora Named");
      const response = await postIdentity(store, "/api/auth/update-user", { name }, user.cookie);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "INVALID_NAME", message: "Name is Required" });
    },
  );

  test("can be changed, and is replaced by Customer, never by the email", async () => {
    const user = await register(store, "Nora Named");
    const renamed = await postIdentity(store, "/api/auth/update-user", { name: "Nora New" }, user.cookie);
    expect(renamed.status).toBe(200);
    expect(await logIn(store, user)).toMatchObject({ name: "Nora New" });
    await store.pool.query(`UPDATE identity."user" SET name = $2 WHERE email = $1`, [user.email, " \u200b "]);
    const nameless = await logIn(store, user);
    await nameless.call("addReview", { body: { rating: 4, description: "Who am I?" } });
    const [newest] = await clientOf(store).call("listReviews", {});
    expect(newest).toMatchObject({ name: "A customer", description: "Who am I?" });
  });
});

describe("an account", () => {
  test("has no picture", async () => {
    const user = await register(store);
    const image = "x".repeat(200_000);
    const body = {
      name: "Ida",
      email: `ida.${crypto.randomUUID()}@buyers.example`,
      password: "a good password",
    };
    for (const response of [
      await postIdentity(store, "/api/auth/update-user", { image }, user.cookie),
      await postIdentity(store, "/api/auth/sign-up/email", { ...body, image }),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ message: "An account has no picture." });
    }
  });

  test("has no email longer than the calls accept", async () => {
    const domain = `@${"d".repeat(60)}.${"d".repeat(60)}.${"d".repeat(60)}.example`;
    const long = (length: number) => `${"+".repeat(length - domain.length)}${domain}`;
    const answerTo = (email: string) =>
      postIdentity(store, "/api/auth/sign-up/email", { name: "Lo", email, password: "a good password" });
    const user = await register(store);
    for (const response of [
      await answerTo(long(255)),
      await postIdentity(store, "/api/auth/change-email", { newEmail: long(255) }, user.cookie),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        message: "The email address is too long. Use at most 254 characters.",
      });
    }
    expect((await answerTo(long(254))).status).toBe(200);
    // with a token, too
    await logIn(store, { email: long(254), password: "a good password" });
  });

  test("registered twice concurrently is created once, without a 500", async () => {
    const body = {
      name: "Two",
      email: `two.${crypto.randomUUID()}@buyers.example`,
      password: "a good password",
    };
    const responses = await Promise.all(
      Array.from({ length: 3 }, () => postIdentity(store, "/api/auth/sign-up/email", body)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(() => store.logs.expect(/Failed to create user/)).toThrow("has no warning");
  });
});

describe("a password", () => {
  test.each(["123456", "password", "Password1", "QWERTY", "qwerty123", "111111", "iloveyou", "stator"])(
    "among the most common is refused: %s",
    async (password) => {
      const body = { name: "Weak", email: `weak.${crypto.randomUUID()}@buyers.example`, password };
      const response = await postIdentity(store, "/api/auth/sign-up/email", body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "PASSWORD_TOO_COMMON" });
    },
  );

  test("of many words is accepted, also when it contains a common password", async () => {
    const body = {
      name: "Good",
      email: `good.${crypto.randomUUID()}@buyers.example`,
      password: "my password is long",
    };
    expect((await postIdentity(store, "/api/auth/sign-up/email", body)).status).toBe(200);
  });

  test("is stored as a slow, salted hash", async () => {
    const user = await signUp(store);
    const { rows } = await store.pool.query<{ password: string }>(
      `SELECT password FROM identity.account a JOIN identity."user" u ON u.id = a."userId" WHERE email = $1`,
      [user.email],
    );
    expect(rows[0]?.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });

  test("is reset by a link that works once and returns the account to the owner of the email", async () => {
    const user = await register(store);
    for (let tries = 0; tries < 2; tries += 1)
      await postIdentity(store, "/api/auth/request-password-reset", { email: user.email });
    const links = await vi.waitFor(async () => {
      const found = (await store.outbox(user.email)).filter(
        ({ subject }) => subject === "Set a new password",
      );
      expect(found).toHaveLength(2);
      return found.map(({ text }) => new URL(linkIn(text)));
    }, 10_000);
    expect(links[0]?.origin).toBe(store.url);
    const [used, other] = links.map((link) => link.searchParams.get("token"));
    const set = async (token: string | null | undefined, newPassword: string) =>
      (await postIdentity(store, "/api/auth/reset-password", { token, newPassword })).status;
    expect(await set(used, "123456")).toBe(400);
    expect(await set(used, "a third password")).toBe(200);
    expect(await set(used, "a fourth password")).toBe(400);
    expect(await set(other, "a fourth password")).toBe(400);
    const { rows } = await store.pool.query(
      "SELECT 1 FROM identity.verification WHERE identifier LIKE '%' || $1 || '%'",
      [used],
    );
    expect(rows, "a token that stands in the database as it is").toEqual([]);
    expect((await user.send("findUser", { params: { email: user.email } })).status).toBe(401);
    await logIn(store, { ...user, password: "a third password" });
  });
});

describe("the first confirmation of an email", () => {
  const confirmationOf = async (email: string) =>
    linkIn((await mailTo(email, "Confirm your email address")).text);

  const open = async (link: string, cookie?: string) =>
    (await fetch(link, { redirect: "manual", headers: cookie ? { cookie } : {} })).headers.get("location");

  /** Everything that a stranger who registered the email could leave on the account, directly in its tables. */
  async function addTraces(email: string): Promise<void> {
    const insert = (table: string, columns: string, values: string) =>
      store.pool.query(
        `INSERT INTO identity.${table} ("userId", ${columns})
         SELECT id, ${values} FROM identity."user" WHERE email = $1`,
        [email],
      );
    await insert(
      "passkey",
      `"publicKey", "credentialID", counter, "deviceType", "backedUp"`,
      `'key', id, 0, 'x', false`,
    );
    await insert(`"twoFactor"`, `secret, "backupCodes", verified`, `'secret', 'codes', true`);
    await insert("account", `"providerId", "accountId"`, `'google', id`);
    await store.pool.query(`UPDATE identity."user" SET "twoFactorEnabled" = true WHERE email = $1`, [email]);
    await store.pool.query(
      `INSERT INTO identity.verification (identifier, value, "expiresAt")
       SELECT 'trust-device-' || id, id, now() + interval '1 day' FROM identity."user" WHERE email = $1`,
      [email],
    );
  }

  const tracesOf = async (email: string) => {
    const count = (table: string, where = "") =>
      `(SELECT count(*)::int FROM identity.${table} WHERE "userId" = u.id ${where})`;
    const { rows } = await store.pool.query(
      `SELECT "emailVerified" AS confirmed, "twoFactorEnabled" AS factor, ${count("passkey")} AS passkeys,
         ${count(`"twoFactor"`)} AS factors, ${count("account", `AND "providerId" = 'google'`)} AS google,
         ${count("session")} AS sessions,
         (SELECT count(*)::int FROM identity.verification WHERE position(u.id::text IN value) > 0) AS pending
       FROM identity."user" u WHERE email = $1`,
      [email],
    );
    return rows[0];
  };

  const clean = { confirmed: true, factor: false, passkeys: 0, factors: 0, google: 0, pending: 0 };

  test("in a signed-in browser keeps the session and the password, and removes everything else", async () => {
    const user = await signUp(store);
    const other = await anotherSession(store, user);
    const newEmail = `stranger.${user.email}`;
    await postIdentity(store, "/api/auth/change-email", { newEmail }, other.cookie);
    const pending = linkIn((await mailTo(newEmail, "Confirm your email address")).text);
    await addTraces(user.email);
    expect(await open(await confirmationOf(user.email), user.cookie)).toBe("/login?verified=1");
    expect(await tracesOf(user.email)).toEqual({ ...clean, sessions: 1 });
    expect(await user.call("findAccount", {})).toMatchObject({ emailVerified: true });
    expect((await other.send("findAccount")).status).toBe(401);
    // an earlier change of the email, opened by the owner in good faith
    expect(await open(pending, user.cookie)).toBe("/login?error=INVALID_TOKEN");
    const { events } = await user.call("listActivity", {});
    expect(events).toContainEqual(
      expect.objectContaining({
        what: "Email confirmed",
        detail: "sessions ended: 1, passkeys removed: 1, Google disconnected, second factor removed",
      }),
    );
    await logIn(store, user);
  });

  test("in any other browser also removes the password", async () => {
    const user = await signUp(store);
    await addTraces(user.email);
    const link = await confirmationOf(user.email);
    const token = new URL(link).searchParams.get("token");
    const stranger = await register(store);
    for (const cookie of [undefined, stranger.cookie])
      expect(await open(link, cookie)).toBe(`/login?confirm=1#${token}`);
    const enter = (body: object) =>
      postIdentity(store, "/api/auth/sign-in/email", { email: user.email, confirm: token, ...body });
    expect((await enter({ password: "not it" })).status).toBe(401);
    expect((await enter({ email: stranger.email, password: stranger.password })).status).toBe(200);
    expect((await enter({ password: user.password, confirm: `${token}x` })).status).toBe(200);
    expect(await tracesOf(user.email)).toMatchObject({ confirmed: false, passkeys: 1, factors: 1 });
    const entered = await enter({ password: user.password });
    expect(await entered.json()).toMatchObject({ user: { emailVerified: true } });
    expect(await tracesOf(user.email)).toEqual({ ...clean, sessions: 1 });
    expect((await user.send("findAccount")).status).toBe(401);
    expect(await open(link)).toBe("/login?error=TOKEN_USED");
  });

  test("of a changed email leaves only the session that opens the link", async () => {
    const user = await signUp(store);
    const other = await anotherSession(store, user);
    const newEmail = `new.${user.email}`;
    await postIdentity(store, "/api/auth/change-email", { newEmail }, user.cookie);
    await addTraces(user.email);
    const link = linkIn((await mailTo(newEmail, "Confirm your email address")).text);
    expect(await open(link, user.cookie)).toBe("/login?verified=1");
    expect(await tracesOf(newEmail)).toEqual({ ...clean, sessions: 1 });
    expect((await other.send("findAccount")).status).toBe(401);
  });
});

describe("with REQUIRE_VERIFIED_EMAIL", () => {
  let strict: TestStore;
  beforeAll(async () => {
    strict = await openStore({ environment: { REQUIRE_VERIFIED_EMAIL: "on" } });
  });
  afterAll(() => strict.stop());
  const post = (path: string, body: object) => postIdentity(strict, `/api/auth${path}`, body);

  test("registrations of known and unknown emails get the same response", async () => {
    const body = { name: "Ada", email: strict.admin.email, password: "some other password" };
    const responses = [
      await post("/sign-up/email", { ...body, email: "new@buyers.example" }),
      await post("/sign-up/email", body),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const bodies = await Promise.all(responses.map((response) => response.json()));
    const shape = ({ token, user }: { token: null; user: Record<string, unknown> }) => ({
      token,
      members: Object.entries(user).map(([name, value]) => [name, typeof value]),
      // the database's own UUIDs, which begin with the time
      id: String(user.id).replace(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        "uuidv7",
      ),
    });
    expect(shape(bodies[0])).toEqual(shape(bodies[1]));
    expect(responses.map(({ headers }) => headers.getSetCookie())).toEqual([[], []]);
  });

  test("signing in works only after the link was opened", async () => {
    const body = { name: "Una", email: "una@buyers.example", password: "a good password" };
    await post("/sign-up/email", body);
    const early = await post("/sign-in/email", body);
    expect(early.status).toBe(403);
    expect(early.headers.getSetCookie().join()).not.toContain("session_token=");
    expect((await post("/sign-in/email", { ...body, password: "wrong" })).status).toBe(401);
    const mail = await vi.waitFor(async () => {
      const found = (await strict.outbox()).find(({ to }) => to === body.email);
      expect(found).toBeDefined();
      return found;
    }, 10_000);
    const link = linkIn(mail?.text ?? "");
    const confirm = new URL(link).searchParams.get("token");
    const opened = async () => (await fetch(link, { redirect: "manual" })).headers.get("location");
    expect(await opened()).toBe(`/login?confirm=1#${confirm}`);
    expect((await post("/sign-in/email", body)).status).toBe(403);
    expect((await post("/sign-in/email", { ...body, confirm })).status).toBe(200);
    expect(await opened()).toBe("/login?error=TOKEN_USED");
    const user = await logIn(strict, body);
    expect(await user.call("findAccount", {})).toMatchObject({ emailVerified: true });
  });

  test("a stranger who registered the email does not get in when the owner opens the link", async () => {
    const body = { name: "Stranger", email: "olga.owner@buyers.example", password: "a stranger's password" };
    await post("/sign-up/email", body);
    const mailed = (subject: string) =>
      vi.waitFor(async () => {
        const emails = await strict.outbox();
        const mail = emails.find((one) => one.to === body.email && one.subject === subject);
        expect(mail).toBeDefined();
        return linkIn(mail?.text ?? "");
      }, 10_000);
    await fetch(await mailed("Confirm your email address"));
    expect((await post("/sign-in/email", body)).status).toBe(403);
    await post("/request-password-reset", { email: body.email });
    const token = new URL(await mailed("Set a new password")).searchParams.get("token");
    const own = "the owner's password";
    expect((await post("/reset-password", { token, newPassword: own })).status).toBe(200);
    expect((await post("/sign-in/email", body)).status).toBe(401);
    await logIn(strict, { ...body, password: own });
  });

  test("an earlier session gets no token", async () => {
    const user = await adminOf(strict);
    await strict.pool.query(`UPDATE identity."user" SET "emailVerified" = false WHERE email = $1`, [
      user.email,
    ]);
    const reply = await clientOf(strict, { cookie: user.cookie }).send("issueToken", {
      params: { email: user.email },
    });
    expect(reply).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("Confirm your email") },
    });
    await verifyEmail(strict.pool, user.email);
  });
});

describe("sessions", () => {
  test("are listed for their owner, and ended one by one or all but the current one", async () => {
    const user = await register(store);
    const [phone, tablet] = [await logIn(store, user), await anotherSession(store, user)];
    const seen = await user.call("listSessions", {});
    expect(seen).toHaveLength(3);
    expect(JSON.stringify(seen)).not.toMatch(/token/i);
    const own = await phone.call("listSessions", {});
    const id = own.find(({ current }) => current)?.id ?? "";
    expect(await user.call("endSession", { params: { id } })).toEqual({ deletedCount: 1 });
    expect((await phone.send("listSessions")).status).toBe(401);
    expect(await user.call("endOtherSessions", {})).toEqual({ deletedCount: 1 });
    expect((await tablet.send("listSessions")).status).toBe(401);
    await anotherSession(store, user);
    const others = (await user.call("listSessions", {})).filter(({ current }) => !current);
    expect(others).toHaveLength(1);
    await store.pool.query(
      `UPDATE identity.session SET "expiresAt" = now() - interval '1 second' WHERE id = $1`,
      [others[0]?.id],
    );
    expect(await user.call("listSessions", {})).toHaveLength(1);
  });

  test("end when their user signs in again in the same browser; another user's does not", async () => {
    const [first, second] = [await register(store), await register(store)];
    const elsewhere = await anotherSession(store, first);
    // the library extends a session of this age, and would set its cookie again
    await store.pool.query(
      `UPDATE identity.session SET "updatedAt" = now() - interval '1 hour', "expiresAt" = now() + interval '1 hour'`,
    );
    const isOpen = async (cookie: string) =>
      (await (await fetch(`${store.url}/api/auth/get-session`, { headers: { cookie } })).json()) !== null;
    const signInOver = async (user: SignedIn, before: string) => {
      const response = await postIdentity(store, "/api/auth/sign-in/email", user, before);
      const cookies = response.headers.getSetCookie();
      expect(cookies.filter((line) => line.includes("session_token"))).toHaveLength(1);
      return cookieOf(response);
    };
    const again = await signInOver(first, first.cookie);
    expect(await isOpen(first.cookie)).toBe(false);
    expect(await isOpen(again)).toBe(true);
    const other = await signInOver(second, again);
    expect(await isOpen(again)).toBe(true);
    expect(await isOpen(other)).toBe(true);
    expect(await isOpen(elsewhere.cookie)).toBe(true);
    // over a cookie whose session has ended
    expect(await isOpen(await signInOver(first, first.cookie))).toBe(true);
  });

  test("expire when idle, earlier for admins, and after a month in any case", async () => {
    const buyer = await signUp(store);
    const firstAdmin = await adminOf(store);
    const lives = async (email: string) => {
      const { rows } = await store.pool.query<{ hours: number }>(
        `SELECT round(extract(epoch FROM "expiresAt" - now()) / 3600)::int AS hours FROM identity.session
         WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1) ORDER BY id DESC LIMIT 1`,
        [email],
      );
      return rows[0]?.hours;
    };
    expect(await lives(buyer.email)).toBe(72);
    expect(await lives(firstAdmin.email)).toBe(12);
    const set = (columns: string) =>
      store.pool.query(
        `UPDATE identity.session SET ${columns}
         WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
        [buyer.email],
      );
    const renew = () =>
      clientOf(store, { cookie: buyer.cookie }).send("issueToken", {
        params: { email: buyer.email },
        body: { email: buyer.email },
      });
    // reuse after a day: three days from now; a month old: not one hour more
    await set(`"expiresAt" = now() + interval '48 hours'`);
    const renewed = await renew();
    expect(renewed.status).toBe(200);
    expect(await lives(buyer.email)).toBe(72);
    expect(renewed.headers.getSetCookie().join()).toMatch(/session_token=[^;]+; Max-Age=259200; .*HttpOnly/);
    await set(
      `"createdAt" = now() - interval '30 days' + interval '5 hours', "expiresAt" = now() + interval '1 year'`,
    );
    expect((await renew()).status).toBe(200);
    expect(await lives(buyer.email)).toBe(5);
    await set(`"expiresAt" = now() - interval '1 second'`);
    expect((await renew()).status).toBe(401);
    expect((await buyer.send("findAccount")).status).toBe(401);
  });

  test("of a closed account end at once, and nobody can sign in until it is reopened", async () => {
    const user = await register(store);
    const close = (closed: boolean) =>
      admin.call("closeUser", { params: { email: user.email }, body: { closed } });
    expect(await close(true)).toEqual({ modifiedCount: 1 });
    expect((await user.send("findAccount")).status).toBe(401);
    const response = await postIdentity(store, "/api/auth/sign-in/email", user);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "ACCOUNT_DISABLED" });
    await close(false);
    await logIn(store, user);
  });
});

describe("an admin's account", () => {
  const makeAdmin = async (name: string, shop = store, by = admin) => {
    const user = await register(shop, name);
    await by.call("makeAdmin", { params: { email: user.email }, body: { confirmUnconfirmed: true } });
    return user;
  };
  const close = (by: SignedIn, { email }: SignedIn, closed = true) =>
    by.send("closeUser", { params: { email }, body: { closed } });

  test("is closed by another admin, which ends the role", async () => {
    const leaver = await makeAdmin("Lena Leaver");
    expect((await close(admin, leaver)).body).toEqual({ modifiedCount: 1 });
    expect((await leaver.send("searchUsers", { query: {} })).status).toBe(401);
    expect((await postIdentity(store, "/api/auth/sign-in/email", leaver)).status).toBe(403);
    expect((await close(admin, leaver, false)).body).toEqual({ modifiedCount: 1 });
    const returned = await logIn(store, leaver);
    expect((await returned.send("searchUsers", { query: {} })).status).toBe(403);
  });

  test("is not closed by its owner", async () => {
    const reply = await close(admin, admin);
    expect([reply.status, reply.body.detail]).toEqual([409, refusals.ownAccountCannotBeClosed]);
  });

  test("remains to one of two who close each other's concurrently", async () => {
    const shared = await openStore();
    const firstAdmin = await adminOf(shared);
    const deputy = await makeAdmin("Dan Deputy", shared, firstAdmin);
    const holder = await shared.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM shop.user FOR UPDATE");
    const closing = Promise.all([close(firstAdmin, deputy), close(deputy, firstAdmin)]);
    await untilWaiting(shared, "pg_advisory_xact_lock", 1);
    await holder.query("COMMIT");
    holder.release();
    const replies = await closing;
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
    const { rows } = await shared.pool.query("SELECT FROM shop.user WHERE role = 'admin'");
    expect(rows).toHaveLength(1);
    await shared.stop();
  });
});

describe("the second factor", () => {
  async function switchOn(user: SignedIn) {
    const path = "/api/auth/two-factor/enable";
    const enabled = await postIdentity(store, path, { password: user.password }, user.cookie);
    const { totpURI, backupCodes } = await enabled.json();
    const code = codeOf(totpURI);
    const verified = await postIdentity(store, "/api/auth/two-factor/verify-totp", { code }, user.cookie);
    expect(verified.status).toBe(200);
    return { code, totpURI, backupCodes, cookie: cookieOf(verified) } as {
      code: string;
      totpURI: string;
      backupCodes: string[];
      cookie: string;
    };
  }

  test("is required after the password; a recovery code works once", async () => {
    const user = await register(store);
    const { totpURI, backupCodes } = await switchOn(user);
    await mailTo(user.email, "Two-factor authentication was turned on");
    const first = await postIdentity(store, "/api/auth/sign-in/email", user);
    expect(await first.json()).toMatchObject({ twoFactorRedirect: true });
    const pending = cookieOf(first);
    expect(
      await (await fetch(`${store.url}/api/auth/get-session`, { headers: { cookie: pending } })).json(),
    ).toBeNull();
    const verify = (kind: string, code: string, cookie: string) =>
      postIdentity(store, `/api/auth/two-factor/verify-${kind}`, { code }, cookie);
    expect((await verify("totp", "000000", pending)).status).toBe(401);
    const next = codeOf(totpURI, 1);
    const entered = await verify("totp", next, pending);
    expect(entered.status).toBe(200);
    // an onlooker
    const attacker = cookieOf(await postIdentity(store, "/api/auth/sign-in/email", user));
    const replayed = await verify("totp", next, attacker);
    expect(replayed.status).toBe(401);
    expect(await replayed.json()).toMatchObject({ message: expect.stringContaining("used already") });
    const params = { email: user.email };
    const { token } = await clientOf(store, { cookie: cookieOf(entered) }).call("issueToken", {
      params,
      body: params,
    });
    expect(await clientOf(store, { token }).call("findAccount", {})).toMatchObject({ secondFactor: true });
    const recover = async () => {
      const again = await postIdentity(store, "/api/auth/sign-in/email", user);
      return (await verify("backup-code", backupCodes[0] as string, cookieOf(again))).status;
    };
    expect(await recover()).toBe(200);
    expect(await recover()).toBe(401);
    const signIn = async () => cookieOf(await postIdentity(store, "/api/auth/sign-in/email", user));
    const typed = ` ${backupCodes[1]?.replace("-", " ").toUpperCase()}`;
    expect((await verify("backup-code", typed, await signIn())).status).toBe(200);
    const again = await verify("backup-code", typed, await signIn());
    expect((await again.json()).message).toBe(codeRefusals.wrongRecoveryCode);
    const late = await signIn();
    await store.pool.query("DELETE FROM identity.verification");
    const tooLate = await verify("backup-code", backupCodes[2] as string, late);
    expect((await tooLate.json()).message).toBe(codeRefusals.codeTooLate);
  });

  test("gets new recovery codes in a session that the last recovery code opened, for an hour", async () => {
    const user = await register(store);
    const { password } = user;
    const { backupCodes } = await switchOn(user);
    const post = (path: string, body: object, cookie: string) =>
      postIdentity(store, `/api/auth/two-factor/${path}`, body, cookie);
    const signIn = async (code: string) => {
      const pending = cookieOf(await postIdentity(store, "/api/auth/sign-in/email", user));
      return post("verify-backup-code", { code }, pending);
    };
    const session = cookieOf(await signIn(backupCodes[9] as string));
    const at = (age: string) =>
      store.pool.query(
        `UPDATE identity.session SET "secondFactorAt" = now() - $2::interval
         FROM identity."user" WHERE "user".id = "userId" AND email = $1 AND "secondFactorAt" IS NOT NULL`,
        [user.email, age],
      );
    await at("61 minutes");
    const refused = await post("generate-backup-codes", { password }, session);
    expect([refused.status, (await refused.json()).code]).toEqual([403, "SECOND_FACTOR_FIRST"]);
    await at("59 minutes");
    // of a release whose codes have capital letters
    const { cookieSecret: key } = store;
    const old = await symmetricEncrypt({ key, data: '["aB3dE-7xYz0"]' });
    await store.pool.query(
      `UPDATE identity."twoFactor" SET "backupCodes" = $2
      FROM identity."user" WHERE "user".id = "userId" AND email = $1`,
      [user.email, old],
    );
    expect((await signIn("aB3dE-7xYz0")).status).toBe(200);
    const made = await (await post("generate-backup-codes", { password }, session)).json();
    await mailTo(user.email, "Your account has new recovery codes");
    expect((await signIn(backupCodes[0] as string)).status).toBe(401);
    const off = await post("disable", { password, code: made.backupCodes[0].toUpperCase() }, session);
    expect(off.status).toBe(200);
  });

  test("limits guesses", async () => {
    const user = await register(store);
    await switchOn(user);
    const pending = cookieOf(await postIdentity(store, "/api/auth/sign-in/email", user));
    const statuses: number[] = [];
    const texts: string[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const response = await postIdentity(
        store,
        "/api/auth/two-factor/verify-totp",
        { code: `00000${tries}` },
        pending,
      );
      statuses.push(response.status);
      texts.push((await response.json()).message);
    }
    // five attempts, then the whole sign-in is over
    expect(statuses).toEqual([401, 401, 401, 401, 401, 400, 401]);
    expect(texts.slice(5)).toEqual([codeRefusals.tooManyCodes, codeRefusals.codeTooLate]);
  });

  test("does not make the browser trusted by itself", async () => {
    const user = await register(store);
    const { totpURI } = await switchOn(user);
    const enter = (cookie = "") => postIdentity(store, "/api/auth/sign-in/email", user, cookie);
    const pending = cookieOf(await enter());
    const body = { code: codeOf(totpURI, 1), trustDevice: true };
    const entered = await postIdentity(store, "/api/auth/two-factor/verify-totp", body, pending);
    expect(entered.status).toBe(200);
    expect(await (await enter(cookieOf(entered))).json()).toMatchObject({ twoFactorRedirect: true });
  });

  test("that a stranger left on an unconfirmed email is removed by the owner's password reset", async () => {
    const user = await register(store);
    await switchOn(user);
    await postIdentity(store, "/api/auth/request-password-reset", { email: user.email });
    const { text } = await mailTo(user.email, "Set a new password");
    const token = new URL(linkIn(text)).searchParams.get("token");
    const body = { token, newPassword: "the owner's password" };
    expect((await postIdentity(store, "/api/auth/reset-password", body)).status).toBe(200);
    await logIn(store, { ...user, password: "the owner's password" });
  });

  test("of any user is not switched off, shown or added to with the password alone", async () => {
    const user = await register(store);
    const { password } = user;
    // opened before it was switched on
    const earlier = await anotherSession(store, user);
    const { code: used, totpURI, cookie } = await switchOn(user);
    const send = async (path: string, body: object, session = earlier.cookie) => {
      const response = await postIdentity(store, `/api/auth${path}`, body, session);
      return [response.status, (await response.json()).code];
    };
    const needsCode = [403, "SECOND_FACTOR_FIRST"];
    const isWrong = [401, "INVALID_CODE"];
    for (const path of ["/two-factor/get-totp-uri", "/two-factor/generate-backup-codes"])
      expect(await send(path, { password }), path).toEqual(needsCode);
    expect(await send("/passkey/verify-registration", { response: { id: "another" } })).toEqual(needsCode);
    const options = `${store.url}/api/auth/passkey/generate-register-options`;
    expect((await fetch(options, { headers: { cookie: earlier.cookie } })).status).toBe(403);

    const off = (input: object, session?: string) =>
      send("/two-factor/disable", { password, ...input }, session);
    expect(await off({})).toEqual(needsCode);
    // not even in a session with the second factor
    expect(await off({}, cookie)).toEqual(needsCode);
    expect(await off({ code: [codeOf(totpURI, 1)] })).toEqual(needsCode);
    expect(await off({ code: "000000" })).toEqual(isWrong);
    expect(await off({ code: "abcde-fghij" })).toEqual(isWrong);
    expect(await off({ code: used }), "used to switch it on").toEqual(isWrong);
    const code = codeOf(totpURI, 1);
    expect(await off({ password: "a wrong password", code })).toEqual([400, "INVALID_PASSWORD"]);
    // the code was not consumed
    expect(await off({ code: `${code.slice(0, 3)} ${code.slice(3)}` })).toEqual([200, undefined]);
    expect(await (await postIdentity(store, "/api/auth/sign-in/email", user)).json()).not.toHaveProperty(
      "twoFactorRedirect",
    );
  });

  test("is switched off with a recovery code", async () => {
    const user = await register(store);
    const { backupCodes, cookie } = await switchOn(user);
    const body = { password: user.password, code: backupCodes[3] };
    expect((await postIdentity(store, "/api/auth/two-factor/disable", body, cookie)).status).toBe(200);
    await mailTo(user.email, "Two-factor authentication was turned off");
    await logIn(store, user);
  });

  test("can be required of admins: without it an admin has the rights of a buyer", async () => {
    const strict = await openStore({ environment: { REQUIRE_ADMIN_2FA: "on" } });
    const firstAdmin = await adminOf(strict);
    const reply = await firstAdmin.send("listUsers");
    expect(reply).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("two-factor authentication") },
    });
    expect((await firstAdmin.send("findUser", { params: { email: firstAdmin.email } })).status).toBe(200);
    const enabled = await postIdentity(
      strict,
      "/api/auth/two-factor/enable",
      { password: firstAdmin.password },
      firstAdmin.cookie,
    );
    const { totpURI } = await enabled.json();
    const verified = await postIdentity(
      strict,
      "/api/auth/two-factor/verify-totp",
      { code: codeOf(totpURI) },
      firstAdmin.cookie,
    );
    const params = { email: firstAdmin.email };
    const { token } = await clientOf(strict, { cookie: cookieOf(verified) }).call("issueToken", {
      params,
      body: params,
    });
    expect((await clientOf(strict, { token }).send("listUsers")).status).toBe(200);
    await strict.stop();
  });

  test("of an admin who needs one cannot be added or changed with the password alone", async () => {
    const strict = await openStore({ environment: { REQUIRE_ADMIN_2FA: "on" } });
    const owner = await adminOf(strict);
    const { password } = owner;
    const attacker = await anotherSession(strict, owner);
    const post = (path: string, body: object, cookie: string) =>
      postIdentity(strict, `/api/auth${path}`, body, cookie);
    const refused = async (path: string, body: object) => {
      const response = await post(path, body, attacker.cookie);
      expect([response.status, (await response.json()).code], path).toEqual([403, "SECOND_FACTOR_FIRST"]);
    };
    const setUp = async (cookie: string) =>
      (await (await post("/two-factor/enable", { password }, cookie)).json()).totpURI as string;

    // set up before the owner has a second factor, and confirmed afterwards
    const attackersSecret = await setUp(attacker.cookie);
    const { rows } = await strict.pool.query<{ id: string }>(
      `INSERT INTO identity.passkey (name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
       SELECT 'Laptop', 'key', id, 'credential', 0, 'singleDevice', false FROM identity."user" WHERE email = $1
       RETURNING id`,
      [owner.email],
    );
    await refused("/two-factor/verify-totp", { code: codeOf(attackersSecret) });
    await refused("/two-factor/enable", { password });
    await refused("/passkey/delete-passkey", { id: rows[0]?.id });
    await refused("/passkey/verify-registration", { response: { id: "another" } });
    const options = `${strict.url}/api/auth/passkey/generate-register-options`;
    expect((await fetch(options, { headers: { cookie: attacker.cookie } })).status).toBe(403);

    await strict.pool.query("DELETE FROM identity.passkey");
    const totpURI = await setUp(owner.cookie);
    const verified = await post("/two-factor/verify-totp", { code: codeOf(totpURI) }, owner.cookie);
    expect(verified.status).toBe(200);
    for (const path of ["disable", "get-totp-uri", "generate-backup-codes"])
      await refused(`/two-factor/${path}`, { password });
    expect((await attacker.send("listUsers")).status).toBe(403);
    const proven = cookieOf(verified);
    expect((await post("/two-factor/generate-backup-codes", { password }, proven)).status).toBe(200);
    const code = codeOf(totpURI, 1);
    expect((await post("/two-factor/verify-totp", { code }, attacker.cookie)).status).toBe(200);
    await strict.stop();
  });
});

test("a session that was opened while the account was closed places no purchase", async () => {
  const user = await register(store, "Clara Closed");
  const tool = await addProduct(admin);
  await store.pool.query("UPDATE shop.user SET disabled_at = now() WHERE email = $1", [user.email]);
  const byCookie = clientOf(store, { cookie: user.cookie });
  const body = { productId: tool._id, purchaseQuantity: 10, address: "Unit 6" };
  expect((await byCookie.send("placePurchase", { body })).status).toBe(401);
});

test("an account has at most twenty passkeys, whose names can be read", async () => {
  const user = await register(store);
  const options = async () => {
    const response = await user.fetch("/api/auth/passkey/generate-register-options");
    return [response.status, (await response.json()).code];
  };
  expect(await options()).toEqual([200, undefined]);
  const { rows } = await store.pool.query<{ id: string }>(
    `INSERT INTO identity.passkey (name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
     SELECT 'Laptop', 'key', id, 'credential ' || number, 0, 'singleDevice', false
     FROM identity."user", generate_series(1, 20) AS number WHERE email = $1 RETURNING id`,
    [user.email],
  );
  expect(await options()).toEqual([409, "TOO_MANY_PASSKEYS"]);
  for (const name of ["Lap\ttop", "Laptop \ud800", "L".repeat(61)]) {
    const body = { id: rows[0]?.id, name };
    const response = await postIdentity(store, "/api/auth/passkey/update-passkey", body, user.cookie);
    expect([response.status, (await response.json()).code], name).toEqual([400, "INVALID_NAME"]);
  }
});

const untilWaiting = ({ pool }: TestStore, text: string, statements: number) =>
  expect.poll(() => waitingStatements(pool, text)).toBe(statements);

/** The tables of the shop and its accounts in which any of these texts is found. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const { rows: tables } = await store.pool.query<{ table_schema: string; table_name: string }>(
    `SELECT table_schema, table_name FROM information_schema.tables
     WHERE table_schema IN ('shop', 'identity') AND table_type = 'BASE TABLE' ORDER BY 1, 2`,
  );
  const found: string[] = [];
  for (const { table_schema, table_name } of tables) {
    const { rowCount } = await store.pool.query(
      `SELECT FROM ${table_schema}."${table_name}" t WHERE t::text ILIKE ANY ($1) LIMIT 1`,
      [texts.map((text) => `%${text}%`)],
    );
    if (rowCount) found.push(`${table_schema}.${table_name}`);
  }
  return found;
}

describe("account deletion", () => {
  test("exports the data, ends all access, and leaves anonymous records that reconcile", async () => {
    const user = await signUp(store, "Lena Leaves");
    const tool = await addProduct(admin);
    const [unpaid, paid] = [await placeFor(user, tool), await placeFor(user, tool)];
    await payFor(store, user, paid);
    await user.call("addReview", { body: { rating: 5, description: "Good tools." } });
    await user.call("updateProfile", {
      params: { email: user.email },
      body: { location: "Port Harrow" },
    });
    const lines = [{ productId: tool._id, quantity: 10 }];
    await user.call("saveCart", { body: { version: 0, lines } });
    await user.call("addSavedList", { body: { name: "Van of Lena Leaves", lines } });
    await user.call("addAddress", {
      body: { name: "Depot of Lena Leaves", address: "Unit 6, Canal Yard" },
    });
    const { rows: accounts } = await store.pool.query("SELECT id FROM shop.user WHERE email = $1", [
      user.email,
    ]);
    const userId = accounts[0].id;
    // its link names the account
    await postIdentity(store, "/api/auth/request-password-reset", { email: user.email });
    const data = await user.call("downloadData", {});
    expect(data).toMatchObject({
      account: { email: user.email, hasPassword: true },
      profile: { location: "Port Harrow" },
      reviews: [{ description: "Good tools." }],
      sessions: [{ current: true }],
    });
    expect(data.orders.map(({ _id }) => _id)).toEqual([unpaid._id, paid._id]);

    expect(await user.call("deleteAccount", { params: { email: user.email } })).toEqual({
      deletedCount: 1,
    });
    expect((await user.send("findAccount")).status).toBe(401);
    expect((await postIdentity(store, "/api/auth/sign-in/email", user)).status).toBe(401);
    await mailTo(user.email, "Your account was deleted");
    const closing = { params: { email: `${userId}@deleted.invalid` }, body: { closed: true } };
    expect((await admin.send("closeUser", closing)).status).toBe(404);

    // the delivery still needs the address; it is deleted afterwards
    const id = { params: { id: paid._id } };
    expect(await admin.call("findOrder", id)).toMatchObject({
      name: "Lena Leaves",
      email: expect.stringContaining("@deleted.invalid"),
    });
    expect((await admin.send("findOrder", { params: { id: unpaid._id } })).status).toBe(404);
    await admin.call("shipPurchase", id);
    expect(await admin.call("findOrder", id)).toMatchObject({
      name: "Deleted account",
      address: "Deleted",
      phone: "",
    });
    // issued documents are kept as printed (decision 45)
    expect(await tablesWith(user.email, "Lena Leaves")).toEqual(["shop.invoice"]);
    expect(await tablesWith(userId)).toEqual([
      "identity.account_event",
      "shop.customer",
      "shop.event",
      "shop.order",
      "shop.payment",
      "shop.purchase",
      "shop.review",
      "shop.user",
    ]);
    await expectConsistentStore(store.pool);
    // and may register again as a new user
    const body = { name: "Lena Returns", email: user.email, password: "another password" };
    expect((await postIdentity(store, "/api/auth/sign-up/email", body)).status).toBe(200);
  });

  test("waits for a payment in progress; a paid order keeps its delivery address", async () => {
    const user = await register(store, "Wendy Waits");
    const waiting = await placeFor(user, await addProduct(admin));
    await confirmCard(store, user, await openPaymentFor(user, waiting), cards.processing);
    const deleteAccount = () => user.send("deleteAccount", { params: { email: user.email } });
    expect(await deleteAccount()).toMatchObject({
      status: 409,
      body: { detail: paymentRefusals.paymentBeforeLeaving },
    });

    await store.pool.query(
      "UPDATE sandbox.payment_intent SET processing_at = now() - interval '1 hour' WHERE status = 'processing'",
    );
    const order = () => admin.call("findOrder", { params: { id: waiting._id } });
    await expect.poll(async () => (await order()).status, { timeout: 20_000 }).toBe("paid");
    expect((await deleteAccount()).status).toBe(200);
    expect(await order()).toMatchObject({ name: "Wendy Waits", address: "Unit 6, Canal Yard" });
  });

  const deliveryOf = async ({ _id }: Purchase) => {
    const found = await store.pool.query("SELECT name, address, phone FROM shop.purchase WHERE id = $1", [
      _id,
    ]);
    return found.rows[0];
  };
  const FORGOTTEN = { name: "Deleted account", address: "Deleted", phone: "" };

  test("anonymises refunded orders, also later ones", async () => {
    const user = await register(store, "Greta Gone");
    const tool = await addProduct(admin);
    const [before, after, returned] = [
      await placeFor(user, tool),
      await placeFor(user, tool),
      await placeFor(user, tool),
    ];
    for (const purchase of [before, after, returned]) await payFor(store, user, purchase);
    const refund = ({ _id }: Purchase, more = {}) =>
      admin.call("refundPurchase", { params: { id: _id }, body: { reason: "Not needed.", ...more } });
    await refund(before);
    await user.call("deleteAccount", { params: { email: user.email } });
    expect(await deliveryOf(before)).toEqual(FORGOTTEN);
    // a partially refunded order is still shipped
    await refund(after, { amount: 25 });
    for (const purchase of [after, returned])
      expect(await deliveryOf(purchase)).toMatchObject({ name: "Greta Gone", address: "Unit 6, Canal Yard" });
    await refund(after);
    await refund(returned, { amount: 25, returnToStock: true });
    for (const purchase of [after, returned]) expect(await deliveryOf(purchase)).toEqual(FORGOTTEN);
  });

  test("exports notes of orders, which are removed with the last line", async () => {
    const user = await register(store, "Olive Order");
    const tools = [await addProduct(admin), await addProduct(admin)] as const;
    const place = (contact: string) =>
      user.call("placeOrder", {
        body: {
          lines: tools.map(({ _id }) => ({ productId: _id, quantity: 10 })),
          address: "Unit 6, Canal Yard",
          contact,
          poNumber: "PO-77",
          note: `Ask for ${contact}.`,
        },
      });
    const [unpaid, paid] = [await place("Una"), await place("Pia")];
    for (const line of paid.lines) await payFor(store, user, line);
    const ship = ({ _id }: Purchase) =>
      admin.call("shipOrder", {
        params: { id: paid._id },
        body: { lines: [{ purchaseId: _id, quantity: 10 }], trackingNumber: "ZX 81" },
      });
    const [first, second] = paid.lines as [Purchase, Purchase];
    const shipment = await ship(first);
    const data = await user.call("downloadData", {});
    const header = { poNumber: "PO-77", placedAt: expect.any(String) };
    expect(data.orderHeaders).toEqual([
      {
        ...header,
        _id: unpaid._id,
        number: unpaid.number,
        contact: "Una",
        note: "Ask for Una.",
        shipments: [],
      },
      {
        ...header,
        _id: paid._id,
        number: paid.number,
        contact: "Pia",
        note: "Ask for Pia.",
        shipments: [{ ...shipment, undoUntil: expect.any(String) }],
      },
    ]);
    await user.call("deleteAccount", { params: { email: user.email } });
    const textsOf = async ({ _id }: { _id: string }) => {
      const found = await store.pool.query<{ contact: string; note: string }>(
        "SELECT contact, note FROM shop.order WHERE id = $1",
        [_id],
      );
      return found.rows[0];
    };
    expect(await textsOf(unpaid)).toEqual({ contact: "", note: "" });
    expect(await deliveryOf(first)).toEqual(FORGOTTEN);
    // the second line is still to be sent
    expect(await textsOf(paid)).toEqual({ contact: "Pia", note: "Ask for Pia." });
    await ship(second);
    expect(await textsOf(paid)).toEqual({ contact: "", note: "" });
    const { rows } = await store.pool.query(
      "SELECT FROM shop.event WHERE event::text LIKE '%Ask for %' OR event::text LIKE '%Pia%'",
    );
    expect(rows).toEqual([]);
  });

  test("keeps paid orders deliverable, also when the provider rejects the refund", async () => {
    const user = await register(store, "Rosa Refused");
    const purchase = await placeFor(user, await addProduct(admin));
    await payFor(store, user, purchase, cards.disputed);
    await user.call("deleteAccount", { params: { email: user.email } });
    const input = { params: { id: purchase._id }, body: { reason: "Not needed." } };
    expect((await admin.send("refundPurchase", input)).status).toBe(409);
    expect(await deliveryOf(purchase)).toMatchObject({ name: "Rosa Refused", address: "Unit 6, Canal Yard" });
    const params = { id: purchase._id };
    await admin.call("shipPurchase", { params });
    expect(await deliveryOf(purchase)).toEqual(FORGOTTEN);
    const tooLate = { status: 409, body: { detail: refusals.undoForgotten } };
    expect(await admin.send("undoShipment", { params })).toMatchObject(tooLate);
  });

  test("keeps a concurrent order that is paid, and cancels one that is not", async () => {
    const user = await register(store, "Mona Moment");
    const tool = await addProduct(admin);
    const paid = await placeFor(user, tool);
    await payFor(store, user, paid);
    const holder = await store.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM shop.purchase WHERE id = $1 FOR UPDATE", [paid._id]);
    const leaving = user.call("deleteAccount", { params: { email: user.email } });
    await untilWaiting(store, "FROM shop.purchase WHERE user_id = $1", 1);
    const [bought, dropped] = [await placeFor(user, tool), await placeFor(user, tool)];
    await confirmCard(store, user, await openPaymentFor(user, bought));
    await holder.query("COMMIT");
    holder.release();
    await leaving;
    const status = async () => (await admin.call("findOrder", { params: { id: bought._id } })).status;
    await expect.poll(status, { timeout: 20_000 }).toBe("paid");
    expect(await deliveryOf(bought)).toMatchObject({ name: "Mona Moment", address: "Unit 6, Canal Yard" });
    expect(await deliveryOf(dropped)).toEqual(FORGOTTEN);
  });

  test("is not taken back by what the user does meanwhile", async () => {
    const [user, tool] = [await register(store, "Rita Renews"), await addProduct(admin)];
    const soldOut = await addProduct(admin, { quantity: 0 });
    const { email } = user;
    const holder = await store.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM shop.user WHERE email = $1 FOR UPDATE", [email]);
    const leaving = user.call("deleteAccount", { params: { email } });
    await untilWaiting(store, "FROM shop.user WHERE id = $1 FOR UPDATE", 1);
    const renewing = user.send("issueToken", { params: { email }, body: { email } });
    const editing = user.send("updateProfile", { params: { email }, body: { location: "Rita's town" } });
    const address = { name: "Home", address: "Rita's street", contact: "", phone: "" };
    const adding = user.send("addAddress", { body: address });
    const reviewing = user.send("addReview", { body: { rating: 5, description: "Rita's review" } });
    const listing = user.send("addSavedList", { body: { name: "Rita's list", lines: [] } });
    const order = { address: "Rita's street", purchaseQuantity: tool.minimum_order };
    const buying = user.send("placePurchase", { body: { ...order, productId: tool._id } });
    const alerting = user.send("addStockAlert", { params: { id: soldOut._id } });
    const lines = [{ productId: tool._id, quantity: 20 }];
    const saving = user.send("saveCart", { body: { version: 0, lines } });
    await untilWaiting(store, "UPDATE shop.user SET e", 2);
    // also that of the deletion
    await untilWaiting(store, "SELECT FROM shop.user WHERE id", 4);
    await untilWaiting(store, "shop.place_order", 1);
    await untilWaiting(store, "INSERT INTO shop.stock_alert", 1);
    await untilWaiting(store, "INSERT INTO shop.cart", 1);
    await holder.query("COMMIT");
    holder.release();
    const replies = await Promise.all([
      leaving,
      renewing,
      editing,
      adding,
      reviewing,
      listing,
      buying,
      alerting,
      saving,
    ]);
    expect(replies.slice(1)).not.toContainEqual(expect.objectContaining({ status: 500 }));
    expect(await tablesWith(email, "Rita's")).toEqual([]);
    const carts = await store.pool.query(
      "SELECT FROM shop.cart JOIN shop.user u ON u.id = user_id WHERE deleted_at IS NOT NULL",
    );
    expect(carts.rowCount).toBe(0);
    const again = { name: "Rita Returns", email, password: "another password" };
    expect((await postIdentity(store, "/api/auth/sign-up/email", again)).status).toBe(200);
    await logIn(store, again);
  });

  test("waits for an order that is being placed, and cancels it", async () => {
    const [user, tool] = [await register(store, "Olga Ordering"), await addProduct(admin)];
    const holder = await store.pool.connect();
    await holder.query("BEGIN; LOCK TABLE graphile_worker._private_jobs IN SHARE MODE");
    const placing = placeFor(user, tool);
    // its email is queued last
    await untilWaiting(store, "shop.place_order", 1);
    const leaving = user.call("deleteAccount", { params: { email: user.email } });
    await untilWaiting(store, "shop.user", 1);
    await holder.query("COMMIT");
    holder.release();
    const purchase = await placing;
    expect(await leaving).toEqual({ deletedCount: 1 });
    expect((await admin.send("findOrder", { params: { id: purchase._id } })).status).toBe(404);
    expect(await deliveryOf(purchase)).toEqual(FORGOTTEN);
    expect(await tablesWith(user.email, "Olga")).toEqual([]);
  });

  test("is refused to the only admin and without a recent proof", async () => {
    const user = await register(store);
    await ageSessions(user);
    expect((await user.send("deleteAccount", { params: { email: user.email } })).status).toBe(403);
    const oneAdminStore = await openStore();
    const firstAdmin = await adminOf(oneAdminStore);
    expect((await firstAdmin.send("deleteAccount", { params: { email: firstAdmin.email } })).status).toBe(
      409,
    );
    await oneAdminStore.stop();
  });

  test("leaves one admin when two delete their accounts concurrently", async () => {
    const shared = await openStore();
    const firstAdmin = await adminOf(shared);
    const deputy = await register(shared);
    await firstAdmin.call("makeAdmin", {
      params: { email: deputy.email },
      body: { confirmUnconfirmed: true },
    });
    // both were checked and are about to be deleted
    const holder = await shared.pool.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM shop.user FOR UPDATE");
    const leaving = Promise.all(
      [firstAdmin, deputy].map((one) => one.send("deleteAccount", { params: { email: one.email } })),
    );
    await untilWaiting(shared, "", 2);
    await holder.query("COMMIT");
    holder.release();
    const replies = await leaving;
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.detail).toBe(refusals.onlyAdmin);
    const { rows } = await shared.pool.query<{ deleted: boolean }>(
      "SELECT deleted_at IS NOT NULL AS deleted FROM shop.user WHERE role = 'admin'",
    );
    expect(rows).toEqual([{ deleted: false }]);
    await shared.stop();
  });
});
