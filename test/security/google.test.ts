/** Signing in with Google: the whole way, and every way in which somebody may bend it. */
import type { Emulator } from "emulate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../harness/client.ts";
import { logIn, register, type SignedIn } from "../harness/people.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import {
  CookieJar,
  chooseAccount,
  followBack,
  freePort,
  googleEnvironment,
  openGoogle,
  startGoogle,
  throughGoogle,
} from "./google.ts";

let store: TestStore;
let google: Emulator;
let owner: SignedIn;
beforeAll(async () => {
  const port = await freePort();
  store = await openStore({ environment: googleEnvironment(port) });
  owner = await register(store, "Paula Password");
  google = await openGoogle(port, store.url, [
    { email: "gerda@google.example", name: "Gerda Google" },
    { email: "ulf@google.example", name: "Ulf Unverified", email_verified: false },
    { email: "other@google.example", name: "Olaf Other" },
    { email: owner.email, name: "Paula at Google" },
  ]);
});
afterAll(async () => {
  await google?.close();
  await store?.stop();
});

describe("a person with a Google account", () => {
  test("is sent with state, nonce and PKCE, comes back signed in, and gets a token", async () => {
    const jar = new CookieJar();
    const page = await startGoogle(store, jar);
    expect(page.searchParams.get("code_challenge_method")).toBe("S256");
    expect(page.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(page.searchParams.get("nonce")).toMatch(/^.{32}$/);
    expect(page.searchParams.get("state")).toMatch(/^.{20,}$/);
    expect(page.searchParams.get("scope")).toBe("openid email profile");
    const target = await followBack(jar, await chooseAccount(page, "gerda@google.example"));
    expect(target).toBe("/login?google=1&from=%2Ftools");
    const params = { email: "gerda@google.example" };
    const { token } = await clientOf(store, { cookie: jar.header }).call("issueToken", {
      params,
      body: params,
    });
    const user = await clientOf(store, { token }).call("findUser", { params });
    expect(user).toMatchObject({ ...params, name: "Gerda Google", role: "user" });
  });

  test("comes again as the same person, and nothing of Google's is kept", async () => {
    const jar = new CookieJar();
    await throughGoogle(store, jar, "gerda@google.example");
    const { rows } = await store.pool.query(
      `SELECT a.*, u."emailVerified" FROM identity.account a JOIN identity."user" u ON u.id = a."userId"
       WHERE u.email = 'gerda@google.example'`,
    );
    expect(rows).toMatchObject([
      { providerId: "google", accessToken: null, refreshToken: null, idToken: null, emailVerified: true },
    ]);
  });

  test("is refused when Google has not confirmed the address", async () => {
    const target = await throughGoogle(store, new CookieJar(), "ulf@google.example");
    expect(target).toMatch(/^\/login\?google=1&from=%2Ftools&error=email_not_verified/);
    const { rowCount } = await store.pool.query(
      "SELECT 1 FROM identity.\"user\" WHERE email = 'ulf@google.example'",
    );
    expect(rowCount).toBe(0);
  });
});

describe("an account that has a password", () => {
  test("is not entered by Google alone, and is joined to it only by its owner, signed in", async () => {
    expect(await throughGoogle(store, new CookieJar(), owner.email)).toMatch(/error=account_not_linked/);
    const jar = new CookieJar();
    jar.keep(
      new Response(null, {
        headers: owner.cookie.split("; ").map((one) => ["set-cookie", one] as [string, string]),
      }),
    );
    expect(await throughGoogle(store, jar, "other@google.example", "link-social")).toMatch(
      /error=email_does_not_match/,
    );
    expect(await throughGoogle(store, jar, owner.email, "link-social")).not.toMatch(/error=/);
    const again = new CookieJar();
    expect(await throughGoogle(store, again, owner.email)).not.toMatch(/error=/);
    const params = { email: owner.email };
    await clientOf(store, { cookie: again.header }).call("issueToken", { params, body: params });
    const mails = (await store.outbox()).map(({ to, subject }) => [to, subject]);
    expect(mails).toContainEqual([owner.email, "Your account is connected with Google"]);
  });

  test("is not joined in a session that is older than an hour", async () => {
    const old = await logIn(store, await register(store, "Otto Old"));
    await store.pool.query(
      `UPDATE identity.session SET "confirmedAt" = now() - interval '61 minutes'
      WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
      [old.email],
    );
    const jar = new CookieJar();
    jar.keep(
      new Response(null, {
        headers: old.cookie.split("; ").map((one) => ["set-cookie", one] as [string, string]),
      }),
    );
    await expect(startGoogle(store, jar, "link-social")).rejects.toThrow(/403.*Confirm with your password/);
  });
});

describe("a callback", () => {
  test.each<[string, (back: URL) => void, boolean]>([
    ["with another state", (back) => back.searchParams.set("state", "x".repeat(32)), true],
    ["without a state", (back) => back.searchParams.delete("state"), true],
    ["with a made-up code", (back) => back.searchParams.set("code", "made-up"), true],
    ["in another browser", () => {}, false],
  ])("%s signs nobody in and leads to the login page", async (_kind, bend, sameBrowser) => {
    const jar = new CookieJar();
    const back = await chooseAccount(await startGoogle(store, jar), "gerda@google.example");
    bend(back);
    const used = sameBrowser ? jar : new CookieJar();
    const target = await followBack(used, back);
    expect(new URL(target, store.url)).toMatchObject({ origin: store.url, pathname: "/login" });
    expect(target).toMatch(/error=/);
    // an operator whose secret is wrong is told the same way
    if (target.includes("invalid_code")) store.logs.expect(/invalid_grant/);
    expect(used.header).not.toMatch(/session_token=./);
  });

  test("works once", async () => {
    const jar = new CookieJar();
    const back = await chooseAccount(await startGoogle(store, jar), "gerda@google.example");
    await followBack(jar, back);
    expect(await followBack(new CookieJar(), back)).toMatch(/error=/);
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "to %s is refused before Google is asked",
    async (callbackURL) => {
      for (const member of ["callbackURL", "errorCallbackURL", "newUserCallbackURL"]) {
        const response = await fetch(`${store.url}/api/auth/sign-in/social`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: store.url },
          body: JSON.stringify({ provider: "google", callbackURL: "/", [member]: callbackURL }),
        });
        expect(response.status, member).toBe(403);
      }
    },
  );

  test("is not replaced by a token from elsewhere", async () => {
    const response = await fetch(`${store.url}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: store.url },
      body: JSON.stringify({ provider: "google", idToken: { token: "a.b.c" } }),
    });
    expect(response.status).toBe(400);
  });
});

describe("without Google", () => {
  const ask = (url: string) =>
    fetch(`${url}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ provider: "google", callbackURL: "/" }),
    });

  test("being set up, the store says so", async () => {
    const plain = await openStore();
    const response = await ask(plain.url);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      message: "Login with Google is not set up on this store.",
    });
    await plain.stop();
  });

  test("answering, the store opens, says so, and finds it later", async () => {
    const port = await freePort();
    const early = await openStore({ environment: googleEnvironment(port) });
    expect((await ask(early.url)).status).toBe(503);
    early.logs.expect(/Discovery fetch failed|discovery left no usable/);
    const late = await openGoogle(port, early.url, [{ email: "late@google.example", name: "Late" }]);
    expect((await ask(early.url)).status).toBe(200);
    await late.close();
    await early.stop();
  });
});
