/** Behind proxies, rate limits count the visitor's IP address, as far as the proxies are trusted. */
import { afterEach, expect, test } from "vitest";
import { openStore, type TestStore } from "../harness/store.ts";

let store: TestStore;
afterEach(() => store.stop());

const open = async (TRUSTED_PROXIES?: string) => {
  store = await openStore({ environment: { RATE_LIMIT: "on", ...(TRUSTED_PROXIES && { TRUSTED_PROXIES }) } });
};

/** The status of a login with a wrong password, of which an IP address may try ten. */
async function logIn(forwarded: string): Promise<number> {
  const { status } = await fetch(`${store.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: store.url, "x-forwarded-for": forwarded },
    body: JSON.stringify({ email: "ada@buyers.example", password: "a wrong password" }),
  });
  return status;
}

async function requestIdOf(given: string): Promise<string | null> {
  const { headers } = await fetch(`${store.url}/healthz`, { headers: { "x-request-id": given } });
  return headers.get("x-request-id");
}

async function logInTenTimes(forwarded: (attempt: number) => string): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt += 1) expect(await logIn(forwarded(attempt))).toBe(401);
}

test("behind two trusted proxies each visitor is counted", async () => {
  await open("127.0.0.0/8, ::1, 10.0.0.0/8");
  await logInTenTimes(() => "203.0.113.7, 10.1.2.3");
  expect(await logIn("203.0.113.7, 10.9.9.9")).toBe(429);
  expect(await logIn("203.0.113.8, 10.1.2.3")).toBe(401);
});

test("what a visitor has written in front is not used", async () => {
  await open("127.0.0.0/8, ::1, 10.0.0.0/8");
  await logInTenTimes((attempt) => `198.51.100.${attempt}, 203.0.113.7, 10.1.2.3`);
  expect(await logIn("198.51.100.99, 203.0.113.7, 10.1.2.3")).toBe(429);
});

test("a header that does not come from a trusted proxy is not used", async () => {
  await open("10.0.0.0/8");
  expect(await requestIdOf("given-by-a-visitor")).toMatch(/^[0-9a-f]{16}$/);
  await logInTenTimes((attempt) => `203.0.113.${attempt}`);
  expect(await logIn("203.0.113.99")).toBe(429);
});

test("by default only a proxy on the same machine is trusted", async () => {
  await open();
  expect(await requestIdOf("given-by-the-proxy")).toBe("given-by-the-proxy");
  expect(await requestIdOf("no; id")).toMatch(/^[0-9a-f]{16}$/);
  await logInTenTimes((attempt) => `203.0.113.${attempt}, 10.1.2.3`);
  expect(await logIn("203.0.113.99, 10.1.2.3")).toBe(429);
  expect(await logIn("203.0.113.99")).toBe(401);
});
