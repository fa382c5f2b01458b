/** Signing in with Google: the complete flow, and every way to manipulate it. */
import type { ServerResponse } from "node:http";
import type { Emulator } from "emulate";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { timeouts } from "../../providers/identity/google.ts";
import { MIN_CONNECTIONS } from "../../server/pool-sizes.ts";
import { clientOf } from "../harness/client.ts";
import { freePort } from "../harness/free-port.ts";
import { codeOf } from "../harness/one-time-code.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { logIn, postIdentity, type SignedIn, signUp } from "../harness/users.ts";
import {
  CookieJar,
  chooseAccount,
  fetchAs,
  followRedirect,
  type GoogleProxy,
  googleEnvironment,
  openGoogle,
  openGoogleProxy,
  startGoogle,
  throughGoogle,
} from "./google.ts";

let store: TestStore;
let google: Emulator;
let owner: SignedIn;
/** further origins of the store, such as forwarded ports */
let loopback: string[];
beforeAll(async () => {
  const port = await freePort();
  store = await openStore({ environment: googleEnvironment(port) });
  owner = await signUp(store, "Paula Password");
  loopback = ["localhost:18080", "127.0.0.1:18080", "[::1]:18080"].map((host) => `http://${host}`);
  google = await openGoogle(
    port,
    [store.url, ...loopback],
    [
      { email: "gerda@google.example", name: "Gerda Google" },
      { email: "ulf@google.example", name: "Ulf Unverified", email_verified: false },
      { email: "other@google.example", name: "Olaf Other" },
      { email: owner.email, name: "Paula at Google" },
    ],
  );
});
afterAll(async () => {
  await google?.close();
  await store?.stop();
});

describe("a user with a Google account", () => {
  test("signs in with state, nonce and PKCE, and gets a token", async () => {
    const jar = new CookieJar();
    const page = await startGoogle(store, jar);
    expect(page.searchParams.get("code_challenge_method")).toBe("S256");
    expect(page.searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
    expect(page.searchParams.get("nonce")).toMatch(/^.{32}$/);
    expect(page.searchParams.get("state")).toMatch(/^.{20,}$/);
    expect(page.searchParams.get("scope")).toBe("openid email profile");
    const target = await followRedirect(jar, await chooseAccount(page, "gerda@google.example"));
    expect(target).toBe("/login?google=1&from=%2Ftools");
    const params = { email: "gerda@google.example" };
    const { token } = await clientOf(store, { cookie: jar.header }).call("issueToken", {
      params,
      body: params,
    });
    const user = await clientOf(store, { token }).call("findUser", { params });
    expect(user).toMatchObject({ ...params, name: "Gerda Google", role: "user" });
  });

  test("signs in to the same account again, and no Google token is stored", async () => {
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

  test("is refused when Google has not verified the email", async () => {
    const target = await throughGoogle(store, new CookieJar(), "ulf@google.example");
    expect(target).toMatch(/^\/login\?google=1&from=%2Ftools&error=email_not_verified/);
    const { rowCount } = await store.pool.query(
      "SELECT 1 FROM identity.\"user\" WHERE email = 'ulf@google.example'",
    );
    expect(rowCount).toBe(0);
  });
});

test("many who sign in for the first time at once do not wait for each other's connections", async () => {
  const port = await freePort();
  const busy = await openStore({ environment: googleEnvironment(port), connections: MIN_CONNECTIONS });
  const emails = Array.from({ length: 6 }, (_, n) => `new-${n}@google.example`);
  const other = await openGoogle(
    port,
    [busy.url],
    emails.map((email) => ({ email, name: "Nora New" })),
  );
  onTestFinished(async () => {
    await other.close();
    await busy.stop();
  });
  const chosen = emails.map(async (email) => {
    const jar = new CookieJar();
    return { jar, back: await chooseAccount(await startGoogle(busy, jar), email) };
  });
  const returning = await Promise.all(chosen);
  const startedAt = Date.now();
  const targets = await Promise.all(returning.map(({ jar, back }) => followRedirect(jar, back)));
  expect(new Set(targets)).toEqual(new Set(["/login?google=1&from=%2Ftools"]));
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});

describe("a store without PUBLIC_URL", () => {
  test("redirects back to the loopback origin of the request", async () => {
    for (const origin of loopback) {
      const jar = new CookieJar();
      const page = await startGoogle(store, jar, "sign-in/social", origin);
      expect(page.searchParams.get("redirect_uri")).toBe(`${origin}/api/auth/callback/google`);
      const back = await chooseAccount(page, "gerda@google.example");
      expect(await followRedirect(jar, back, store.url)).toBe("/login?google=1&from=%2Ftools");
      const { host } = new URL(origin);
      const response = await fetchAs(host, `${store.url}/user/gerda@google.example`, {
        method: "PUT",
        headers: { origin, cookie: jar.header },
      });
      expect(response.status, origin).toBe(200);
    }
  });

  test("does not follow other hosts or accept requests of other local pages", async () => {
    const request = (host: string, origin: string) =>
      fetchAs(host, `${store.url}/api/auth/sign-in/social`, {
        method: "POST",
        headers: { "content-type": "application/json", origin, cookie: "stator.x=1" },
        body: JSON.stringify({ provider: "google", callbackURL: "/" }),
      });
    for (const host of [
      "evil.example",
      "localhost.evil.example",
      "127.0.0.1.evil.example:80",
      "localhost:99999",
    ]) {
      const { url } = await (await request(host, store.url)).json();
      expect(new URL(url).searchParams.get("redirect_uri")).toBe(`${store.url}/api/auth/callback/google`);
    }
    const { host } = new URL(store.url);
    for (const origin of ["http://localhost:18080", "http://evil.example"])
      expect((await request(host, origin)).status, origin).toBe(403);
  });

  test("always redirects to PUBLIC_URL when it is set", async () => {
    const [port, storePort] = [await freePort(), await freePort()];
    const publicUrl = "https://shop.example";
    const environment = { ...googleEnvironment(port), PUBLIC_URL: publicUrl, PORT: String(storePort) };
    const shop = await openStore({ environment });
    const shopGoogle = await openGoogle(port, publicUrl, []);
    const listening = { ...shop, url: `http://localhost:${storePort}` };
    const send = (origin: string) => startGoogle(listening, new CookieJar(), "sign-in/social", origin);
    const page = await send(publicUrl);
    expect(page.searchParams.get("redirect_uri")).toBe(`${publicUrl}/api/auth/callback/google`);
    await expect(send(listening.url)).rejects.toThrow(/403/);
    await shopGoogle.close();
    await shop.stop();
  });
});

describe("an account with a second factor", () => {
  test("requires the code after Google, and then has admin rights", async () => {
    const port = await freePort();
    const strict = await openStore({ environment: { ...googleEnvironment(port), REQUIRE_ADMIN_2FA: "on" } });
    const admin = await logIn(strict, strict.admin);
    const strictGoogle = await openGoogle(port, strict.url, [{ email: admin.email, name: "The Boss" }]);
    const jar = CookieJar.of(admin.cookie);
    expect(await throughGoogle(strict, jar, admin.email, "link-social")).not.toMatch(/error=/);
    const roleOf = async (cookies: CookieJar) => {
      const params = { email: admin.email };
      const issued = await clientOf(strict, { cookie: cookies.header }).send("issueToken", {
        params,
        body: params,
      });
      if (issued.status !== 200) return issued.status;
      return (await clientOf(strict, { token: issued.body.token }).send("listUsers")).status;
    };
    // without one Google opens a buyer's session
    const plain = new CookieJar();
    await throughGoogle(strict, plain, admin.email);
    expect(await roleOf(plain)).toBe(403);

    const post = (path: string, body: object, cookie: string) =>
      postIdentity(strict, `/api/auth/two-factor/${path}`, body, cookie);
    const { totpURI } = await (await post("enable", { password: admin.password }, admin.cookie)).json();
    expect((await post("verify-totp", { code: codeOf(totpURI) }, admin.cookie)).status).toBe(200);

    const held = new CookieJar();
    expect(await throughGoogle(strict, held, admin.email)).toBe("/login?google=1&from=%2Ftools&code=1");
    expect(held.header).not.toMatch(/session_token=./);
    expect(await roleOf(held)).toBe(401);
    expect((await post("verify-totp", { code: "000000" }, held.header)).status).toBe(401);
    held.keep(await post("verify-totp", { code: codeOf(totpURI, 1) }, held.header));
    expect(await roleOf(held)).toBe(200);
    const again = await clientOf(strict, { cookie: held.header }).call("issueToken", {
      params: { email: admin.email },
      body: {},
    });
    const { events } = await clientOf(strict, again).call("listActivity", {});
    expect(events.filter(({ detail }) => detail === "with Google")).toHaveLength(1);
    await strictGoogle.close();
    await strict.stop();
  });
});

describe("an account that has a password", () => {
  test("is linked to Google only by its signed-in owner", async () => {
    const elsewhere = await logIn(store, owner);
    await store.pool.query(
      `INSERT INTO identity.passkey ("userId", "publicKey", "credentialID", counter, "deviceType", "backedUp")
       SELECT id, 'key', id, 0, 'x', false FROM identity."user" WHERE email = $1`,
      [owner.email],
    );
    expect(await throughGoogle(store, new CookieJar(), owner.email)).toMatch(/error=account_not_linked/);
    const account = () => owner.call("findAccount", {});
    expect(await account()).toMatchObject({ emailVerified: false, google: false, passkeys: true });
    const jar = CookieJar.of(owner.cookie);
    expect(await throughGoogle(store, jar, "other@google.example", "link-social")).toMatch(
      /error=email_does_not_match/,
    );
    expect(await throughGoogle(store, jar, owner.email, "link-social")).not.toMatch(/error=/);
    // Google has verified the email: that is its first confirmation
    expect(await account()).toMatchObject({ emailVerified: true, google: true, passkeys: false });
    expect((await elsewhere.send("findAccount")).status).toBe(401);
    const again = new CookieJar();
    expect(await throughGoogle(store, again, owner.email)).not.toMatch(/error=/);
    const params = { email: owner.email };
    await clientOf(store, { cookie: again.header }).call("issueToken", { params, body: params });
    await vi.waitFor(async () => {
      const emails = (await store.outbox()).map(({ to, subject }) => [to, subject]);
      expect(emails).toContainEqual([owner.email, "Your account is connected with Google"]);
    }, 10_000);
    const listed = await fetch(`${store.url}/api/auth/list-accounts`, { headers: { cookie: owner.cookie } });
    const accounts: { id: string; providerId: string }[] = await listed.json();
    const unlink = async (provider: string) => {
      const body = { accountId: accounts.find(({ providerId }) => providerId === provider)?.id };
      return (await postIdentity(store, "/api/auth/unlink-account", body, owner.cookie)).status;
    };
    expect([await unlink("credential"), await unlink("google")]).toEqual([400, 200]);
    expect(await account()).toMatchObject({ hasPassword: true, google: false });
    await vi.waitFor(async () => {
      const subjects = (await store.outbox(owner.email)).map(({ subject }) => subject);
      expect(subjects).toContain("Your account is no longer connected with Google");
    }, 10_000);
  });

  test("is not linked in a session older than an hour", async () => {
    const old = await logIn(store, await signUp(store, "Otto Old"));
    await store.pool.query(
      `UPDATE identity.session SET "confirmedAt" = now() - interval '61 minutes'
      WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
      [old.email],
    );
    const jar = CookieJar.of(old.cookie);
    await expect(startGoogle(store, jar, "link-social")).rejects.toThrow(/403.*Confirm your identity/);
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
    const target = await followRedirect(used, back);
    expect(new URL(target, store.url)).toMatchObject({ origin: store.url, pathname: "/login" });
    expect(target).toMatch(/error=/);
    // an operator with a wrong secret sees the same
    if (target.includes("invalid_code")) store.logs.expect(/invalid_grant/);
    expect(used.header).not.toMatch(/session_token=./);
  });

  test("works once", async () => {
    const jar = new CookieJar();
    const back = await chooseAccount(await startGoogle(store, jar), "gerda@google.example");
    await followRedirect(jar, back);
    expect(await followRedirect(new CookieJar(), back)).toMatch(/error=/);
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

  test("does not accept a token from elsewhere", async () => {
    const response = await fetch(`${store.url}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: store.url },
      body: JSON.stringify({ provider: "google", idToken: { token: "a.b.c" } }),
    });
    expect(response.status).toBe(400);
  });
});

describe("without Google", () => {
  const send = (url: string) =>
    fetch(`${url}/api/auth/sign-in/social`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ provider: "google", callbackURL: "/" }),
    });

  test("says so when Google is not configured", async () => {
    const plain = await openStore();
    const response = await send(plain.url);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      message: "Login with Google is not set up on this store.",
    });
    await plain.stop();
  });

  test("starts while Google does not respond, says so, and recovers", async () => {
    const port = await freePort();
    const early = await openStore({ environment: googleEnvironment(port) });
    expect((await send(early.url)).status).toBe(503);
    early.logs.expect(/Discovery fetch failed|discovery left no usable/);
    const late = await openGoogle(port, early.url, [{ email: "late@google.example", name: "Late" }]);
    expect((await send(early.url)).status).toBe(200);
    await late.close();
    await early.stop();
  });
});

describe("unexpected responses of Google", () => {
  let odd: TestStore;
  let behind: Emulator;
  let proxy: GoogleProxy;
  let issuer: string;
  beforeAll(async () => {
    const [port, hidden] = [await freePort(), await freePort()];
    issuer = `http://localhost:${port}`;
    odd = await openStore({ environment: googleEnvironment(port) });
    behind = await openGoogle(hidden, odd.url, [{ email: "gerda@google.example", name: "Gerda" }], port);
    proxy = await openGoogleProxy(port, hidden);
    timeouts.longestMs = 800;
  });
  afterAll(async () => {
    timeouts.longestMs = 5000;
    await odd.stop();
    await proxy.close();
    await behind.close();
  });

  const json =
    (body: unknown, status = 200) =>
    (response: ServerResponse) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const html = (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sorry</h1>");
  const responses: [string, (response: ServerResponse) => unknown][] = [
    ["an empty object", json({})],
    ["an empty array", json([])],
    ["null", json(null)],
    ["a text", json("no")],
    ["nothing", (response) => response.writeHead(200).end()],
    ["HTML", html],
    ["404", json({ message: "Not Found" }, 404)],
    ["a redirect", (response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end()],
    ["a hang-up", (response) => response.destroy()],
    [
      "wrong types",
      json({ issuer: 5, access_token: {}, id_token: 5, expires_in: "soon", keys: "none", email: 5 }),
    ],
    ["an error with 200", json({ error: { code: 5 } })],
    ["silence", () => undefined],
  ];

  // before Google was discovered: the document is not requested again afterwards
  test.each(responses)("an invalid discovery document (%s) gives 503", async (_words, respond) => {
    proxy.override = { path: /openid-configuration/, respond };
    await expect(startGoogle(odd, new CookieJar())).rejects.toThrow(/503.*Google/);
    odd.logs.expect(/Discovery fetch failed/);
  });

  test.each([
    { authorization_endpoint: "not a URL" },
    { token_endpoint: 5 },
    { jwks_uri: "" },
    { issuer: "https://accounts.google.example" },
  ])("an invalid discovery document (%j) gives 503", async (part) => {
    proxy.override = null;
    const document = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    proxy.override = { path: /openid-configuration/, respond: json({ ...(document as object), ...part }) };
    await expect(startGoogle(odd, new CookieJar())).rejects.toThrow(/503.*Google/);
    if (!("issuer" in part)) odd.logs.expect(/Discovery fetch failed/);
  });

  // the key set first: it is cached once read
  const stages: [string, RegExp][] = [
    ["key set", /certs|jwks/],
    ["token", /\/token/],
  ];
  test.each(stages.flatMap(([stage, path]) => responses.map((one) => [stage, path, ...one] as const)))(
    "for the %s (%s), with %s, signs nobody in",
    async (stage, path, words, respond) => {
      // the library waits five seconds for keys, and all callers share that wait
      timeouts.longestMs = stage === "key set" && words === "silence" ? 6000 : 800;
      proxy.override = null;
      const jar = new CookieJar();
      const back = await chooseAccount(await startGoogle(odd, jar), "gerda@google.example");
      proxy.override = { path, respond };
      const target = await followRedirect(jar, back);
      expect(target).toMatch(/^\/login\?.*error=(invalid_code|unable_to_get_user_info)/);
      expect(jar.header).not.toMatch(/session_token=./);
      odd.logs.expect(/./);
    },
    10_000,
  );

  test("do not prevent signing in afterwards", async () => {
    proxy.override = null;
    expect(await throughGoogle(odd, new CookieJar(), "gerda@google.example")).not.toMatch(/error=/);
  });
});
