/** Who gets an access token, and for how long. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteExpiredSessions } from "../../shop/accounts/sessions.ts";
import { clientOf } from "../harness/client.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, anotherSession, postIdentity, register, type SignedIn, signUp } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(() => store.stop());

const self = (user: SignedIn) => ({ params: { email: user.email } });

describe("a token", () => {
  test("is invalid as soon as its session ends", async () => {
    const user = await register(store);
    const elsewhere = clientOf(store, { token: user.token });
    expect((await elsewhere.send("findUser", self(user))).status).toBe(200);
    await user.signOut();
    const reply = await elsewhere.send("findUser", self(user));
    expect(reply).toMatchObject({
      status: 401,
      body: { detail: "Your session has ended, or its token is not valid. Log in again." },
    });
  });

  test("outlives the end of another session of the same user", async () => {
    const user = await register(store);
    const phone = await anotherSession(store, user);
    await phone.signOut();
    expect((await clientOf(store, { token: user.token }).send("findUser", self(user))).status).toBe(200);
  });

  test("is valid for fifteen minutes and contains only session and user", async () => {
    const user = await signUp(store);
    const claims = JSON.parse(Buffer.from(user.token.split(".")[1] ?? "", "base64url").toString());
    expect(claims.exp - claims.iat).toBe(15 * 60);
    expect(Object.keys(claims).sort()).toEqual(["exp", "iat", "sid", "sub"]);
  });

  test("is not issued without a session", async () => {
    const user = await register(store);
    for (const client of [clientOf(store), clientOf(store, { token: user.token })]) {
      expect((await client.send("issueToken", { ...self(user), body: { email: user.email } })).status).toBe(
        401,
      );
    }
  });

  test("is not issued for another email, not even to an admin", async () => {
    const user = await register(store);
    const reply = await admin.send("issueToken", { ...self(user), body: { email: user.email } });
    expect(reply).toMatchObject({
      status: 403,
      body: { detail: "The token can only be issued for the email you are logged in with." },
    });
  });

  test.each([
    ["origin", "https://evil.example"],
    ["origin", "null"],
    ["sec-fetch-site", "cross-site"],
    ["sec-fetch-site", "same-site"],
  ])("is not given to a page of another site (%s: %s)", async (header, value) => {
    const user = await register(store);
    const reply = await clientOf(store, user).send("issueToken", self(user), { [header]: value });
    expect(reply.status).toBe(403);
  });

  test("is issued to a page of the store", async () => {
    const user = await register(store);
    const headers = { origin: store.url, "sec-fetch-site": "same-origin" };
    expect((await clientOf(store, user).send("issueToken", self(user), headers)).status).toBe(200);
  });
});

test("of a session that has expired nothing is kept, such as its IP address", async () => {
  const user = await register(store);
  await anotherSession(store, user);
  const sessions = `SELECT id FROM identity.session
    WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1) ORDER BY id`;
  const open = async () => (await store.pool.query<{ id: string }>(sessions, [user.email])).rows;
  const [expired, ...others] = await open();
  await store.pool.query(
    `UPDATE identity.session SET "expiresAt" = now() - interval '25 hours' WHERE id = $1`,
    [expired?.id],
  );
  await deleteExpiredSessions(store);
  expect(await open()).toEqual(others);
});

describe("an account", () => {
  test("is refused with a password of five characters", async () => {
    const body = { name: "Short", email: "short@buyers.example", password: "12345" };
    const response = await postIdentity(store, "/api/auth/sign-up/email", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "PASSWORD_TOO_SHORT" });
  });

  test("is refused for an email that is taken, in any case", async () => {
    const user = await register(store);
    const body = { name: "Again", email: user.email.toUpperCase(), password: "another password" };
    const response = await postIdentity(store, "/api/auth/sign-up/email", body);
    expect(response.status).toBe(422);
  });

  test("does not reveal whether email or password is wrong", async () => {
    const user = await register(store);
    const tries = [
      { email: user.email, password: "not the password" },
      { email: "nobody@buyers.example", password: "not the password" },
    ];
    const responses = await Promise.all(
      tries.map(async (body) => {
        const response = await postIdentity(store, "/api/auth/sign-in/email", body);
        return [response.status, await response.json()];
      }),
    );
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.[0]).toBe(401);
  });

  test.each([
    ["sign-up/email", "email"],
    ["sign-in/email", "email"],
    ["request-password-reset", "email"],
    ["send-verification-email", "email"],
    ["change-email", "newEmail"],
  ])("gets a clear message from %s if an email cannot be used", async (path, member) => {
    const user = await register(store);
    for (const email of ["x@y.z", "jürgen@büro.de", "foo", ""]) {
      const body = { name: "Jürgen", password: user.password, [member]: email };
      const response = await postIdentity(store, `/api/auth/${path}`, body, user.cookie);
      expect(response.status, email).toBe(400);
      expect((await response.json()).message, email).toBe("Provide a valid email");
    }
  });

  test.each(["", "  "])("is not created with the name %j, nor renamed to it", async (name) => {
    const refused = { code: "INVALID_NAME", message: "Name is Required" };
    const email = `nameless.${crypto.randomUUID()}@buyers.example`;
    const made = await postIdentity(store, "/api/auth/sign-up/email", {
      name,
      email,
      password: "a good password",
    });
    expect([made.status, await made.json()]).toEqual([400, refused]);
    const user = await register(store);
    const renamed = await postIdentity(store, "/api/auth/update-user", { name }, user.cookie);
    expect([renamed.status, await renamed.json()]).toEqual([400, refused]);
  });

  test("has a cookie that scripts and other sites cannot use", async () => {
    const user = await register(store);
    const response = await postIdentity(store, "/api/auth/sign-in/email", user);
    const session = response.headers.getSetCookie().find((line) => line.includes("session_token"));
    expect(session).toMatch(/HttpOnly/i);
    expect(session).toMatch(/SameSite=Lax/i);
  });

  test.each([
    ["a NUL character", "a\u0000b"],
    ["an emoji", "😀"],
    ["nothing", ""],
    ["a hundred thousand letters", "x".repeat(100_000)],
    ["an object", { $gt: "" }],
    ["null", null],
  ])("requested with %s in every field is refused or created, but breaks nothing", async (_kind, value) => {
    const good = {
      name: "Ada",
      email: `ada.${crypto.randomUUID()}@buyers.example`,
      password: "a good password",
    };
    for (const path of [
      "/api/auth/sign-up/email",
      "/api/auth/sign-in/email",
      "/api/auth/request-password-reset",
    ]) {
      for (const key of ["name", "email", "password"]) {
        const response = await postIdentity(store, path, { ...good, [key]: value });
        expect(response.status, `${path} ${key}`).toBeLessThan(500);
        await response.body?.cancel();
      }
    }
  });
});
