/** Attacks with the source code and two accounts: each was tried by hand first and is kept as a test. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { networkOf } from "../../server/auth/rate-limit-rules.ts";
import { addProduct, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, postIdentity, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
});
afterAll(() => store.stop());

/** A request with exactly this target and these headers, which no browser would send. */
function raw(
  target: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const { port } = new URL(store.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: target, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject).end();
  });
}

describe("members that are not writable", () => {
  const extra = {
    role: "admin",
    emailVerified: true,
    id: "00000000-0000-7000-8000-000000000000",
    twoFactorEnabled: true,
    disabled_at: null,
    createdAt: "2001-01-01T00:00:00Z",
  };

  test("are ignored or refused in a registration", async () => {
    const email = `mass.${crypto.randomUUID()}@buyers.example`;
    const account = { name: "Mass", email, password: "a good password" };
    const made = await postIdentity(store, "/api/auth/sign-up/email", { ...account, ...extra });
    if (!made.ok) expect((await postIdentity(store, "/api/auth/sign-up/email", account)).status).toBe(200);
    const user = await logIn(store, account);
    expect(await user.call("findAccount", {})).toMatchObject({ emailVerified: false, secondFactor: false });
    expect(await user.call("findUser", { params: { email } })).toMatchObject({ role: "user" });
    expect((await user.send("listUsers")).status).toBe(403);
  });

  test("are ignored in the own user and profile", async () => {
    const user = await register(store);
    await postIdentity(store, "/api/auth/update-user", { name: "New", ...extra }, user.cookie);
    await user.send("updateProfile", {
      params: { email: user.email },
      body: { location: "Port Harrow", ...extra },
    });
    expect(await user.call("findAccount", {})).toMatchObject({ emailVerified: false, secondFactor: false });
    expect((await user.send("listUsers")).status).toBe(403);
  });
});

describe("other users'", () => {
  test("passkeys cannot be renamed, removed or read", async () => {
    const [owner, attacker] = [await register(store), await register(store)];
    const { rows } = await store.pool.query<{ id: string }>(
      `INSERT INTO identity.passkey (name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
       SELECT 'Laptop', 'key', id, 'credential', 0, 'singleDevice', false FROM identity."user" WHERE email = $1
       RETURNING id`,
      [owner.email],
    );
    const id = rows[0]?.id;
    for (const [path, body] of [
      ["delete-passkey", { id }],
      ["update-passkey", { id, name: "Mine" }],
    ] as const)
      expect((await postIdentity(store, `/api/auth/passkey/${path}`, body, attacker.cookie)).status).toBe(
        401,
      );
    expect(await attacker.call("listPasskeys", {})).toEqual([]);
    expect(await owner.call("listPasskeys", {})).toMatchObject([{ name: "Laptop" }]);
  });
});

describe("a control character", () => {
  test.each(["callback/google?state=%00&code=%00", "verify-email?token=%00", "get-session?x=a%00b"])(
    "is refused in the URL of /api/auth/%s",
    async (path) => {
      const response = await fetch(`${store.url}/api/auth/${path}`, { redirect: "manual" });
      expect(response.status).toBe(400);
      expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    },
  );

  test("is refused in a body", async () => {
    const body = { email: "a\u0000@buyers.example", password: "a good password" };
    expect((await postIdentity(store, "/api/auth/sign-in/email", body)).status).toBe(422);
  });
});

describe("an invalid passkey", () => {
  test.each([
    ["verify-authentication", { response: { id: "x".repeat(5000) } }],
    ["verify-authentication", { response: { id: { $ne: "" } } }],
    ["verify-authentication", { response: { id: "AAAA", response: {} } }],
    ["verify-registration", { response: { id: "AAAA", response: { transports: "x" } }, createSession: true }],
    ["delete-passkey", { id: "1 OR 1=1" }],
    ["update-passkey", { id: "../..", name: "x" }],
  ])("is refused by %s", async (path, body) => {
    const user = await register(store);
    const options = await user.fetch("/api/auth/passkey/generate-register-options");
    expect(options.status).toBe(200);
    const challenge = options.headers.getSetCookie().map((line) => line.split(";")[0]);
    const cookie = [user.cookie, ...challenge].join("; ");
    const response = await postIdentity(store, `/api/auth/passkey/${path}`, body, cookie);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/\.(ts|js|mjs):\d/);
  });

  test("is not added without a recent proof", async () => {
    const user = await register(store);
    await store.pool.query(
      `UPDATE identity.session SET "confirmedAt" = now() - interval '2 hours'
       WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
      [user.email],
    );
    expect((await user.fetch("/api/auth/passkey/generate-register-options")).status).toBe(403);
    const body = { response: { id: "AAAA" } };
    const path = "/api/auth/passkey/verify-registration";
    expect((await postIdentity(store, path, body, user.cookie)).status).toBe(403);
    expect(
      (await postIdentity(store, "/api/auth/unlink-account", { providerId: "google" }, user.cookie)).status,
    ).toBe(403);
  });
});

describe("a cached response", () => {
  const poison = {
    "x-forwarded-host": "evil.example",
    "x-original-url": "/evil",
    "x-rewrite-url": "/evil",
    forwarded: "host=evil.example;proto=https",
    "x-http-method-override": "DELETE",
    cookie: "stator.session_token=evil",
    authorization: "Bearer evil",
    range: "bytes=0-3",
    accept: "text/evil",
    "accept-language": "evil",
  };

  test.each(["/", "/tools", "/products", "/reviews", "/login"])(
    "%s is the same after a request with special headers",
    async (path) => {
      const clean = await raw(path);
      await new Promise((done) => setTimeout(done, 1100));
      const poisoned = await raw(path, { host: "evil.example", ...poison });
      const after = await raw(path);
      expect(poisoned.status).toBe(200);
      expect(after).toEqual(clean);
      expect(after.text).not.toContain("evil");
      expect(poisoned.text).not.toContain("evil");
    },
  );

  test("ignores parameters that no route reads", async () => {
    for (const path of ["/", "/tools", "/products?limit=3", "/reviews"]) {
      const clean = await raw(path);
      const odd = await raw(`${path}${path.includes("?") ? "&" : "?"}evil=1`);
      expect(odd.status).toBe(200);
      expect(odd.text).toBe(clean.text);
    }
  });

  test.each(["/catalog?q=drill", "/products?limit=3"])(
    "%s is not that of a URL that is read otherwise",
    async (path) => {
      const clean = await raw(path);
      await new Promise((done) => setTimeout(done, 1100));
      const odd = await raw(path.replace("?", "??"));
      expect(odd.text).not.toBe(clean.text);
      expect(await raw(path)).toEqual(clean);
    },
  );

  test.each([
    "//evil.example/login",
    "/\\evil.example",
    "http://evil.example/login",
    "/%2f%2fevil.example",
    "/login?from=//evil.example/<script>alert(1)</script>",
    "/tools?q=%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  ])("a crafted URL leads nowhere else: %s", async (target) => {
    const { status, text } = await raw(target);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/(?:href|src|content)="(?:https?:)?\/\/evil/i);
    expect(text).not.toContain("<script>alert");
  });
});

describe("a slow body", () => {
  test.each([
    ["lists in lists", `${"[".repeat(120_000)}${"]".repeat(120_000)}`],
    ["members in members", `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`],
    ["a number without end", `{"rating": ${"9".repeat(200_000)}, "description": "x"}`],
    [
      "an e-mail that a pattern could trip over",
      JSON.stringify({ email: `${"a@".repeat(60_000)}`, password: "x" }),
    ],
    ["line after line", JSON.stringify({ rating: 5, description: "\n\t ".repeat(60_000) })],
  ])("gets a response at once: %s", async (_kind, body) => {
    const user = await register(store);
    const headers = { "content-type": "application/json", origin: store.url };
    const startedAt = performance.now();
    for (const path of ["/reviews", "/api/auth/sign-in/email"]) {
      const response = await user.fetch(path, { method: "POST", body, headers });
      expect(response.status, path).toBeGreaterThanOrEqual(400);
      expect(response.status, path).toBeLessThan(500);
    }
    // a catastrophic pattern takes minutes; a busy machine is slow too
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

test("an account closed during a purchase has placed it or not, and places no more", async () => {
  const user = await register(store);
  const tool = await addProduct(admin);
  const body = {
    productId: tool._id,
    purchaseQuantity: tool.minimum_order,
    address: "Unit 6, Canal Yard",
  };
  const buy = () => user.send("placePurchase", { body });
  const params = { email: user.email };
  const [closed, ...bought] = await Promise.all([
    admin.call("closeUser", { params, body: { closed: true } }),
    ...Array.from({ length: 8 }, buy),
  ]);
  expect(closed).toEqual({ modifiedCount: 1 });
  expect(bought.every(({ status }) => status === 200 || status === 401)).toBe(true);
  expect((await buy()).status).toBe(401);
  const { orders } = await admin.call("searchPurchases", { query: { q: user.email, limit: 100 } });
  expect(orders).toHaveLength(bought.filter(({ status }) => status === 200).length);
});

test("a name with markup is escaped in pages and emails", async () => {
  const name = "Ada </script><img src=x onerror=alert(1)> Lovelace";
  const user = await register(store, name);
  const tool = await addProduct(admin, { name: `Drill ${name}` });
  await placeFor(user, tool);
  const page = await raw(`/product/${tool._id}`, { cookie: user.cookie });
  expect(page.text).not.toContain("<img src=x");
  expect(page.text.match(/<\/script><img/)).toBeNull();
  await expect
    .poll(async () => (await store.outbox(user.email)).length, {
      timeout: 10_000,
    })
    .toBeGreaterThan(0);
  for (const mail of await store.outbox()) expect(mail.html).not.toContain("<img src=x");
});

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["203.0.113.9", "203.0.113.9"],
])("the line of %s is counted as %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
