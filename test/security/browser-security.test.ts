/** Browser security: policy, cookies, cross-site requests, redirects. */
import { createHash } from "node:crypto";
import { request } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { safeRedirect } from "../../app/data/route-access.ts";
import { takeScripts } from "../../server/http/pages.ts";
import { hashOf } from "../../server/http/security.ts";
import { freePort } from "../harness/free-port.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(() => store.stop());

const pages = [
  "/",
  "/blog",
  "/portfolio",
  "/login",
  "/register",
  "/tools",
  "/docs",
  "/reset-password",
  "/nothing/here",
];

describe("a page", () => {
  test.each(pages)("%s runs, loads and sends nothing foreign", async (path) => {
    const response = await fetch(store.url + path);
    const html = await response.text();
    const policy = response.headers.get("content-security-policy") ?? "";
    const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
    expect(rules.get("default-src")).toEqual(["'none'"]);
    expect(rules.get("base-uri")).toEqual(["'none'"]);
    expect(rules.get("frame-ancestors")).toEqual(["'none'"]);
    expect(rules.get("form-action")).toEqual(["'self'"]);
    expect(policy).not.toMatch(/unsafe|\*|data:.*script/);
    expect(rules.get("script-src")?.filter((source) => !/^'sha256-[\w+/]{43}='$/.test(source))).toEqual([
      "'self'",
    ]);
    expect(rules.get("connect-src")).toEqual(["'self'"]);
    expect(rules.get("frame-src")).toEqual(["'self'"]);
    const styles = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css as string);
    expect(styles.length).toBeGreaterThan(0);
    const hashes = styles.map((css) => `'sha256-${createHash("sha256").update(css).digest("base64")}'`);
    expect(new Set(rules.get("style-src"))).toEqual(new Set(["'self'", ...hashes]));
    expect(html).not.toMatch(/<[^>]+\s(style|on\w+)=/i);
  });

  test("gives a hash to scripts with the nonce of the rendering only", () => {
    const html =
      '<script nonce="n">own()</script><script>injected()</script><script nonce="m">guessed()</script>';
    const taken = takeScripts(html, "n");
    expect(taken.hashes).toEqual([hashOf("own()")]);
    expect(taken.html).toBe(html.replace(' nonce="n"', ""));
  });

  test("allows the payment provider on the payment page only, if it is used", async () => {
    const provider = /stripe\.com/;
    const headersOf = async (asked: TestStore, path: string) => {
      const { cookie } = await adminOf(asked);
      return (await fetch(asked.url + path, { headers: { cookie } })).headers;
    };
    const policyOf = async (asked: TestStore, path: string) =>
      (await headersOf(asked, path)).get("content-security-policy") ?? "";
    const openerOf = async (asked: TestStore, path: string) =>
      (await headersOf(asked, path)).get("cross-origin-opener-policy");
    const payment = `/dashboard/payment/${crypto.randomUUID()}`;
    expect(await policyOf(store, payment)).not.toMatch(provider);
    const live = await openStore({
      environment: {
        STRIPE_SECRET_KEY: "sk_test_1",
        STRIPE_PUBLISHABLE_KEY: "pk_test_1",
        STRIPE_WEBHOOK_SECRET: "whsec_1",
        STRIPE_API_BASE: "http://127.0.0.1:9",
      },
    });
    for (const path of ["/", "/login", "/dashboard/orders", `/login?from=${payment}`, `/blog${payment}`])
      expect(await policyOf(live, path), path).not.toMatch(provider);
    expect(await policyOf(live, payment)).toContain("https://js.stripe.com");
    // its wallets may open a window, and communicate with it
    expect(await openerOf(live, payment)).toBe("same-origin-allow-popups");
    expect(await openerOf(live, "/dashboard/orders")).toBe("same-origin");
    expect(await openerOf(store, payment)).toBe("same-origin");
    await live.stop();
  });

  test("has the security headers", async () => {
    for (const path of ["/", "/products", "/openapi.json", "/healthz", "/logo-mark.svg", "/no/such/thing"]) {
      const { headers } = await fetch(store.url + path);
      expect(Object.fromEntries(headers), path).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": expect.stringContaining("strict-origin"),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
      });
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("strict-transport-security"), "without TLS").toBeNull();
    }
  });

  test("of an uploaded or drawn picture runs no scripts", async () => {
    const { headers } = await fetch(`${store.url}/tools/router.svg`);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });
});

describe("behind TLS", () => {
  let secure: TestStore;
  const shop = "https://shop.example";
  beforeAll(async () => {
    port = await freePort();
    secure = await openStore({ environment: { PUBLIC_URL: shop, PORT: String(port) } });
  });
  afterAll(() => secure.stop());

  /** As the proxy in front of the store forwards a request. */
  let port: number;
  const send = (path: string, body: object, origin = shop) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        origin,
        "x-forwarded-for": "203.0.113.4",
        "x-forwarded-proto": "https",
      },
      body: JSON.stringify(body),
    });

  test("cookies have the __Host- prefix and are secure", async () => {
    const body = { name: "Ada", email: "ada@buyers.example", password: "a good password" };
    const lines = (await send("/api/auth/sign-up/email", body)).headers.getSetCookie();
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) {
      expect(line).toMatch(/^__Host-stator\./);
      expect(line).toMatch(/; Path=\//);
      expect(line).toMatch(/; HttpOnly/i);
      expect(line).toMatch(/; Secure/i);
      expect(line).toMatch(/; SameSite=Lax/i);
      expect(line).not.toMatch(/Domain=/i);
    }
  });

  test("the contract has the name of the session cookie", async () => {
    const body = { name: "Olga", email: "olga@buyers.example", password: "a good password" };
    const response = await send("/api/auth/sign-up/email", body);
    const { components } = await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json();
    const sent = response.headers.getSetCookie().map((line) => line.split("=")[0]);
    expect(sent).toContain(components.securitySchemes.session.name);
    const { components: plain } = await (await fetch(`${store.url}/openapi.json`)).json();
    expect((await register(store)).cookie).toContain(`${plain.securitySchemes.session.name}=`);
  });

  test("HSTS is sent and insecure requests are upgraded", async () => {
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    expect(headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
    expect(headers.get("content-security-policy")).not.toMatch(/\bhttp:/);
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=63072000/);
  });

  test("links in emails use PUBLIC_URL, whatever the Host header", async () => {
    await new Promise<void>((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: port,
          path: "/api/auth/request-password-reset",
          method: "POST",
          headers: {
            host: "evil.example",
            "x-forwarded-host": "evil.example",
            "content-type": "application/json",
            origin: shop,
          },
        },
        (response) => response.resume().on("end", resolve),
      );
      sent.on("error", reject);
      sent.end(JSON.stringify({ email: "ada@buyers.example", redirectTo: "/reset-password" }));
    });
    await expect
      .poll(async () => (await secure.outbox()).length, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(2);
    for (const { text, html } of await secure.outbox()) {
      expect(`${text}${html}`).not.toContain("evil.example");
      for (const [origin] of text.matchAll(/https?:\/\/[^\s/]+/g)) expect(origin).toBe(shop);
    }
  });
});

describe("another site", () => {
  const evil = "https://evil.example";

  test.each([
    ["/api/auth/sign-out", {}],
    ["/api/auth/change-password", { currentPassword: "a good password", newPassword: "evil password" }],
    ["/api/auth/change-email", { newEmail: "evil@evil.example" }],
    ["/api/auth/two-factor/enable", { password: "a good password" }],
    ["/api/auth/link-social", { provider: "google", callbackURL: "/" }],
  ])("cannot make the browser of a signed-in user call %s", async (path, body) => {
    const user = await register(store);
    for (const headers of [{ origin: evil }, { origin: "null" }, { referer: `${evil}/page` }]) {
      for (const type of ["application/json", "application/x-www-form-urlencoded", "text/plain"]) {
        const response = await fetch(store.url + path, {
          method: "POST",
          headers: { "content-type": type, cookie: user.cookie, ...headers } as Record<string, string>,
          body: type.includes("json")
            ? JSON.stringify(body)
            : new URLSearchParams(body as Record<string, string>).toString(),
        });
        expect([403, 415], `${type} ${JSON.stringify(headers)}`).toContain(response.status);
      }
    }
    expect((await user.send("findAccount")).status).toBe(200);
  });

  test("cannot sign a browser in to another account", async () => {
    const user = await register(store);
    const { email, password } = user;
    for (const headers of [
      { origin: evil, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
      { origin: evil },
    ]) {
      const response = await fetch(`${store.url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers } as Record<
          string,
          string
        >,
        body: new URLSearchParams({ email, password }).toString(),
      });
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
  });

  test("is never the target of a redirect or of a link in an email", async () => {
    const user = await register(store);
    for (const url of [
      evil,
      "//evil.example",
      "/\\evil.example",
      "https:evil.example",
      `${store.url}.evil.example`,
      "/.//evil.example",
      "/a/%2e%2e//evil.example",
    ]) {
      const link = `/api/auth/verify-email?token=x&callbackURL=${encodeURIComponent(url)}`;
      const opened = await fetch(store.url + link, { redirect: "manual" });
      expect(opened.status, url).toBe(403);
      expect(opened.headers.get("location"), url).toBeNull();
      for (const [path, body] of [
        ["/api/auth/request-password-reset", { email: user.email, redirectTo: url }],
        ["/api/auth/sign-in/email", { email: user.email, password: user.password, callbackURL: url }],
        [
          "/api/auth/sign-up/email",
          { name: "A", email: "a@b.example", password: "a good password", callbackURL: url },
        ],
      ] as const) {
        const response = await fetch(store.url + path, {
          method: "POST",
          headers: { "content-type": "application/json", origin: store.url },
          body: JSON.stringify(body),
        });
        expect(response.status, `${path} ${url}`).toBe(403);
      }
    }
  });
});

describe("the redirect after signing in", () => {
  const base = "https://shop.example";
  const isOurs = (path: string) => new URL(path, `${base}/login`).origin === base;

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    " //evil.example",
    "/%09/evil.example",
    "/.//evil.example",
    "/..//evil.example",
  ])("stays here, whatever the link says: %j", (from) => {
    expect(isOurs(safeRedirect(from))).toBe(true);
  });

  test("stays on this site for any text, also decoded repeatedly", () => {
    const parts = fc.constantFrom(
      "/",
      "\\",
      "..",
      ".",
      "//",
      "evil.example",
      "https:",
      "\t",
      "\n",
      "@",
      "%2f",
      "%5c",
      " ",
      "#",
      "?",
      ":",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts, { maxLength: 8 }).map((all) => all.join("")),
        ),
        (from) => {
          const once = safeRedirect(from);
          expect(isOurs(once)).toBe(true);
          const { pathname, search, hash } = new URL(once, base);
          expect(isOurs(safeRedirect(pathname + search + hash))).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
