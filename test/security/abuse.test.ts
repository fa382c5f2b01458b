/** Too many, too slow or too large requests get a response, and never at the expense of other users. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { rules as reference } from "../../api/reference-texts.ts";
import { callRateLimits } from "../../server/auth/rate-limit-rules.ts";
import { openRateLimiter } from "../../server/auth/rate-limiter.ts";
import { clientOf } from "../harness/client.ts";
import { addProduct, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, anotherSession, register, type SignedIn, signUp, verifyEmail } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore({ environment: { RATE_LIMIT: "on" } });
  admin = await adminOf(store);
});
afterAll(() => store.stop());

/** A request to the identity library from its own IP address. */
function postFrom(ip: string, path: string, body: object, cookie = "", url = store.url): Promise<Response> {
  return fetch(`${url}/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, "x-forwarded-for": ip, cookie },
    body: JSON.stringify(body),
  });
}

const logIn = (ip: string, email: string, password: string, cookie?: string) =>
  postFrom(ip, "/sign-in/email", { email, password }, cookie);

/** As if this many attempts had been counted, each of which may hash a password for a tenth of a second. */
const setAttempts = (what: string, count: number) =>
  store.pool.query("UPDATE shop.attempt SET count = $2 WHERE key LIKE $1 || ':%'", [what, count]);

describe("wrong passwords", () => {
  test("are limited to ten per IP address and account, with Retry-After", async () => {
    const user = await register(store);
    const answers = await Promise.all(
      Array.from({ length: 11 }, (_, tries) => logIn("203.0.113.7", user.email, `wrong ${tries}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429]);
    const stopped = await logIn("203.0.113.7", user.email, user.password);
    expect(stopped.status).toBe(429);
    expect(Number(stopped.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(stopped.headers.get("retry-after"))).toBeLessThanOrEqual(900);
    expect(await stopped.json()).toMatchObject({ detail: "Too many attempts. Wait a while and try again." });
    // the owner, elsewhere, and others at that IP address are unaffected
    expect((await logIn("203.0.113.8", user.email, user.password)).status).toBe(200);
    const neighbour = await register(store);
    expect((await logIn("203.0.113.7", neighbour.email, neighbour.password)).status).toBe(200);
  });

  test.each(["203.0.113.17", "[2001:db8::17]"])(
    "are counted for %s alone if a proxy adds the port",
    async (ip) => {
      const user = await register(store);
      const tryFrom = async (port: number) => (await logIn(`${ip}:${port}`, user.email, "wrong")).status;
      expect(await tryFrom(40_000)).toBe(401);
      await setAttempts("login-pair", 9);
      expect([await tryFrom(40_001), await tryFrom(40_002)]).toEqual([401, 429]);
    },
  );

  test("are counted for every spelling of the path", async () => {
    const user = await register(store);
    const body = JSON.stringify({ email: user.email, password: "wrong" });
    const logInAt = (path: string) =>
      new Promise<number | undefined>((done, fail) => {
        const headers = {
          "content-type": "application/json",
          origin: store.url,
          "x-forwarded-for": "203.0.113.6",
        };
        const sent = request(store.url, { path, method: "POST", headers }, (response) => {
          response.resume();
          done(response.statusCode);
        });
        sent.on("error", fail).end(body);
      });
    const paths = [
      "/api/auth/sign-in/email",
      "/api/auth/./sign-in/email",
      "/api/auth/%2e/sign-in/email",
      "/api/auth/x/../sign-in/email",
      "/api/auth/sign-in\\email",
      "/api/auth/sign-in/email#",
    ];
    const statuses: (number | undefined)[] = [];
    for (const path of paths) {
      statuses.push(await logInAt(path));
      if (statuses.length === 1) await setAttempts("login-pair", 5);
    }
    for (const path of paths) statuses.push(await logInAt(path));
    expect(statuses).toEqual([...Array(6).fill(401), ...Array(6).fill(429)]);
  });

  test("are counted for unknown emails, in any case", async () => {
    const email = `nobody.${crypto.randomUUID()}@buyers.example`;
    const tryAs = async (spelling: string) => (await logIn("203.0.113.9", spelling, "wrong")).status;
    expect(await tryAs(email)).toBe(401);
    await setAttempts("login-pair", 9);
    const statuses = await Promise.all([email.toUpperCase(), email].map(tryAs));
    expect(statuses.sort()).toEqual([401, 429]);
  });

  test("are accepted as JSON only, so that no attempt is uncounted", async () => {
    const user = await register(store);
    const guess = (type: string, body: string) =>
      fetch(`${store.url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": type, origin: store.url, "x-forwarded-for": "203.0.113.10" },
        body,
      });
    const form = "application/x-www-form-urlencoded";
    const victim = `email=${encodeURIComponent(user.email)}&password=guess`;
    for (const [type, body] of [
      [form, `email=nobody@buyers.example&${victim}`],
      [form, JSON.stringify({ email: "nobody@buyers.example", a: `&${victim}&b=` })],
      [`${form}; application/json`, victim],
      ["text/plain", JSON.stringify({ email: user.email, password: "guess" })],
      ["text/plain;application/json", JSON.stringify({ email: user.email, password: "guess" })],
      ["application/json-seq", JSON.stringify({ email: user.email, password: "guess" })],
      ["application/jsonx", JSON.stringify({ email: user.email, password: "guess" })],
    ] as const) {
      const response = await guess(type, body);
      expect(response.status, `${type} ${body}`).toBe(415);
      expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(await response.json()).toMatchObject({ detail: "The request body must be JSON." });
    }
    // a byte order mark, which the library would skip
    const marked = `\ufeff${JSON.stringify({ email: user.email, password: "guess" })}`;
    expect((await guess("application/json", marked)).status).toBe(400);
    const { rows } = await store.pool.query(
      "SELECT 1 FROM identity.account_event WHERE what = 'Sign-in refused' AND ip = '203.0.113.10'",
    );
    expect(rows, "guesses that were looked at").toEqual([]);
  });

  test("from many IP addresses do not lock the owner out of a known browser", async () => {
    const user = await register(store);
    const known = (await logIn("198.51.100.1", user.email, user.password)).headers
      .getSetCookie()
      .find((line) => line.startsWith("stator.device="));
    expect(known).toMatch(/HttpOnly; SameSite=Lax/);
    await logIn("198.51.100.66", user.email, "wrong");
    await setAttempts("login-account", 100);
    expect((await logIn("198.51.100.67", user.email, user.password)).status).toBe(429);
    const device = known?.split(";")[0];
    expect((await logIn("198.51.100.1", user.email, user.password, device)).status).toBe(200);
    // a device of another account, or a forged one, is not trusted
    const forged = device?.replace(/\.[\w-]{43}$/, `.${"A".repeat(43)}`);
    expect((await logIn("198.51.100.1", user.email, user.password, forged)).status).toBe(429);
    await store.pool.query("DELETE FROM shop.attempt");
  });
});

describe("password guesses with a stolen session", () => {
  const guess = (cookie: string) =>
    postFrom(
      "203.0.113.40",
      "/change-password",
      { currentPassword: "not it", newPassword: "evil password" },
      cookie,
    );

  test("are limited to fifteen, whatever other cookies and calls without a password are sent", async () => {
    const user = await register(store);
    expect((await guess(user.cookie)).status).toBe(400);
    await setAttempts("proof-of", 12);
    const statuses: number[] = [];
    for (let tries = 12; tries < 18; tries += 1) {
      const madeUp = [`xstator.session_token=${tries}`, `stator.two_factor=${tries}`][tries % 2];
      statuses.push((await guess(`${madeUp}; ${user.cookie}`)).status);
      if (tries !== 13) continue;
      const body = { newEmail: `new.${user.email}` };
      expect((await postFrom("203.0.113.40", "/change-email", body, user.cookie)).status).toBe(200);
    }
    expect(statuses).toEqual([...Array(3).fill(400), ...Array(3).fill(429)]);
    // of two equal cookies the library takes the first, which is invalid
    expect((await guess(`stator.session_token=made-up; ${user.cookie}`)).status).toBe(401);
    const code = { code: "000000" };
    const cookie = `xstator.two_factor=made-up; ${user.cookie}`;
    expect((await postFrom("203.0.113.40", "/two-factor/verify-totp", code, cookie)).status).toBe(429);
    const password = { password: user.password };
    expect((await postFrom("203.0.113.40", "/verify-password", password, cookie)).status).toBe(429);
    const confirmed = await user.send("confirmAccount", { body: { password: user.password } });
    expect(confirmed.status).toBe(429);
    // limits are per user: another user at the same IP address is unaffected
    const neighbour = await register(store);
    const change = { currentPassword: neighbour.password, newPassword: "another good password" };
    expect((await postFrom("203.0.113.40", "/change-password", change, neighbour.cookie)).status).toBe(200);
  });
});

test("emails to a new email address are limited, however many accounts and networks ask for them", async () => {
  const newEmail = "flooded@elsewhere.example";
  const users = [await register(store), await register(store)];
  const statuses: number[] = [];
  for (let tries = 0; tries < 24; tries += 1) {
    const body = { newEmail, email: `decoy${tries}@elsewhere.example` };
    const response = await postFrom(
      `203.0.113.${50 + tries}`,
      "/change-email",
      body,
      users[tries % 2]?.cookie,
    );
    statuses.push(response.status);
  }
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(4).fill(429)]);
});

describe("legitimate users", () => {
  test("twenty behind one IP address register and sign in within a minute without being limited", async () => {
    const [first, ...last] = Array.from({ length: 4 }, (_, number) => ({
      name: "Colleague",
      email: `colleague${number}@office.example`,
      password: "a good password",
    }));
    for (const path of ["/sign-up/email", "/sign-in/email"]) {
      await store.pool.query("DELETE FROM shop.attempt");
      expect((await postFrom("192.0.2.30", path, first as object)).status).toBe(200);
      // as if sixteen others had done the same, whatever is counted
      const { rowCount } = await store.pool.query("UPDATE shop.attempt SET count = 17");
      expect(rowCount).toBeGreaterThan(0);
      const answers = await Promise.all(last.map((body) => postFrom("192.0.2.30", path, body)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });
});

describe("emails", () => {
  test("to an email address are limited, whether it is known or not", async () => {
    const user = await register(store);
    for (const email of [user.email, "unknown@buyers.example"]) {
      const statuses: number[] = [];
      for (let tries = 0; tries < 6; tries += 1)
        statuses.push((await postFrom("203.0.113.20", "/request-password-reset", { email })).status);
      expect(statuses, email).toEqual([200, 200, 200, 200, 200, 429]);
    }
  });
});

test("confirmation links to an email address are limited, also when a sign-in sends them", async () => {
  const strict = await openStore({ environment: { RATE_LIMIT: "on", REQUIRE_VERIFIED_EMAIL: "on" } });
  const body = { name: "Stranger", email: "flooded@elsewhere.example", password: "a good password" };
  expect((await postFrom("203.0.113.1", "/sign-up/email", body, "", strict.url)).status).toBe(200);
  const { rowCount } = await strict.pool.query(
    "UPDATE shop.attempt SET count = 18 WHERE key LIKE 'confirmation-to:%'",
  );
  expect(rowCount).toBe(1);
  for (let network = 2; network < 6; network += 1)
    expect((await postFrom(`203.0.113.${network}`, "/sign-in/email", body, "", strict.url)).status).toBe(403);
  await vi.waitFor(async () => expect(await strict.outbox(body.email)).toHaveLength(3), 10_000);
  const { rows } = await strict.pool.query("SELECT FROM graphile_worker.jobs");
  expect(rows).toEqual([]);
  await strict.stop();
});

describe("successes", () => {
  test.each([
    ["signing in", "login-all", "/sign-in/email"],
    ["entering the password again", "proof-all", "/verify-password"],
  ])("of %s are limited, since they take CPU time and send emails", async (_what, rule, path) => {
    const user = await register(store);
    const { email, password, cookie } = user;
    const send = () => postFrom("203.0.113.60", path, { email, password }, cookie);
    expect((await send()).status).toBe(200);
    await setAttempts(rule, 100_000);
    expect((await send()).status).toBe(429);
    await store.pool.query("DELETE FROM shop.attempt");
  });
});

describe("registrations, orders and reviews", () => {
  test("are limited with Retry-After", async () => {
    const user = await signUp(store);
    const tool = await addProduct(admin);
    const address = "Unit 6, Canal Yard";
    const purchase = { body: { productId: tool._id, purchaseQuantity: 10, address } };
    const order = { body: { lines: [{ productId: tool._id, quantity: 10 }], address } };
    const review = { body: { rating: 4, description: "Fine." } };
    for (const [call, parts, what] of [
      ["placePurchase", purchase, "purchase"],
      ["placeOrder", order, "purchase"],
      ["addReview", review, "review"],
      ["exportOrders", { query: {} }, "order-export"],
    ] as const) {
      expect((await user.send(call, parts)).status).toBe(200);
      await setAttempts(what, 100_000);
      const refused = await user.send(call, parts);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      await setAttempts(what, 1);
    }
    expect((await user.send("placeOrder", order)).status).toBe(200);
    await setAttempts("unconfirmed-purchase", 300);
    expect((await user.send("placeOrder", order)).status).toBe(429);
    await verifyEmail(store.pool, user.email);
    // the first confirmation has ended the others
    const confirmed = await anotherSession(store, user);
    expect((await confirmed.send("placeOrder", order)).status).toBe(200);
    await setAttempts("register", 100_000);
    const body = { name: "Late", email: "late@buyers.example", password: "a good password" };
    expect((await postFrom("127.0.0.1", "/sign-up/email", body)).status).toBe(429);
    await store.pool.query("DELETE FROM shop.attempt");
  });
});

test("the API reference has the limits of orders", () => {
  const user = { id: "", name: "", email: "", role: "user" as const };
  const of = (confirmed: boolean) => callRateLimits("placeOrder", { user, confirmed, ip: "192.0.2.1" });
  const all = of(false);
  expect(all.slice(0, -1)).toEqual(of(true));
  const [perUser, unconfirmed] = [all[0], all.at(-1)];
  expect([perUser?.seconds, unconfirmed?.seconds]).toEqual([60, 3600]);
  expect(reference.find(([topic]) => topic === "Limits")?.[1]).toContain(
    `may place ${perUser?.max} orders in a minute (${unconfirmed?.max} in an hour`,
  );
});

test("payments and documents of one buyer are limited, so that others get theirs", async () => {
  const buyer = await register(store);
  const placed = await placeFor(buyer, await addProduct(admin));
  const pay = { body: { total: placed.total, purchaseId: placed._id } };
  expect((await buyer.send("createPaymentIntent", pay)).status).toBe(200);
  await setAttempts("payment", 240);
  expect((await buyer.send("createPaymentIntent", pay)).status).toBe(429);
  const confirmation = { params: { id: placed._id }, body: { transactionId: "pi_made_up" } };
  expect((await buyer.send("confirmPayment", confirmation)).status).toBe(429);
  const order = (await buyer.call("listOrders", {})).orders[0]?._id;
  const download = () =>
    fetch(`${store.url}/orders/${order}/confirmation.pdf`, { headers: { cookie: buyer.cookie } });
  expect((await download()).status).toBe(200);
  await setAttempts("document", 120);
  const refused = await download();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await store.pool.query("DELETE FROM shop.attempt");
});

describe("the counters", () => {
  test("are shared by all processes, exact under concurrency, and expire", async () => {
    const processes = [openRateLimiter(store.pool, true), openRateLimiter(store.pool, true)];
    const rule = { what: "test", of: "somebody", max: 25, seconds: 60 };
    const other = { what: "test", of: "somebody else", max: 1000, seconds: 60 };
    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        processes[index % 2]?.take(index % 3 ? [rule, other] : [other, rule]),
      ),
    );
    expect(waits.filter((wait) => wait === null)).toHaveLength(25);
    await store.pool.query("UPDATE shop.attempt SET until = now() - interval '1 second'");
    expect(await processes[0]?.take([rule])).toBeNull();
    const { rows } = await store.pool.query("SELECT key FROM shop.attempt");
    expect(JSON.stringify(rows)).not.toContain("somebody");
  });

  test("do not last longer after the clock was set back", async () => {
    const limits = openRateLimiter(store.pool, true);
    const rule = { what: "clock", of: "somebody", max: 1, seconds: 600 };
    expect([await limits.take([rule]), await limits.take([rule])]).toEqual([null, 600]);
    await store.pool.query(
      "UPDATE shop.attempt SET until = until + interval '1 hour' WHERE key LIKE 'clock:%'",
    );
    expect([await limits.take([rule]), await limits.take([rule])]).toEqual([null, 600]);
  });

  test("of requests do not last longer after the clock was set back", async () => {
    const secondsLeft = async () => {
      const response = await fetch(`${store.url}/healthz`, {
        headers: { "x-forwarded-for": "198.51.100.7" },
      });
      return Number(response.headers.get("x-ratelimit-reset"));
    };
    await secondsLeft();
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.now() - 3_600_000);
    const left = await secondsLeft().finally(() => vi.useRealTimers());
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60);
  });

  test("are off with RATE_LIMIT=off", async () => {
    const off = openRateLimiter(store.pool, false);
    const rule = { what: "test-off", of: "somebody", max: 1, seconds: 60 };
    for (let tries = 0; tries < 5; tries += 1) expect(await off.take([rule])).toBeNull();
  });
});

describe("a client", () => {
  /** Writes to the raw socket; returns the response until the store closes it. */
  function sendRaw(text: string, timeoutMs = 20_000): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(store.url).port), "127.0.0.1");
      let received = "";
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no response: ${received}`)));
      socket.on("data", (data) => {
        received += data;
      });
      socket.on("error", (error) => (received ? resolve(received) : reject(error)));
      socket.on("close", () => resolve(received));
      socket.write(text);
    });
  }

  test.each([
    ["a header of 20 kB", `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["a URL of 5 kB", `GET /?${"a".repeat(5000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 414],
    ["a URL of 20 kB", `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      "a thousand headers",
      `GET / HTTP/1.1\r\nHost: x\r\n${"X-H: aaaaaaaaaaaaaaa\r\n".repeat(1000)}\r\n`,
      431,
    ],
    ["no HTTP at all", "\x16\x03\x01\x02\x00\r\n\r\n", 400],
    [
      "two lengths",
      "POST /reviews HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n{}",
      400,
    ],
    [
      "a length and chunks at once",
      "POST /reviews HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /",
      400,
    ],
    ["a line end in a header", "GET / HTTP/1.1\r\nHost: x\r\nX-A: a\nb\r\n\r\n", 400],
    [
      "a body of a gigabyte",
      "POST /reviews HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\nConnection: close\r\n\r\n{",
      401,
    ],
  ])("that sends %s gets a response", async (_kind, text, status) => {
    const response = await sendRaw(text);
    expect(response).toMatch(/^HTTP\/1\.1 \d{3}/);
    const receivedStatus = Number(response.slice(9, 12));
    if (status === 401) expect([401, 413]).toContain(receivedStatus);
    else expect(receivedStatus).toBe(status);
    expect(response).not.toMatch(/at .*\.(ts|js):\d/);
  });

  test("that sends headers slowly gets 408, and others are served meanwhile", async () => {
    const slow = Array.from({ length: 50 }, () => sendRaw("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "));
    for (let tries = 0; tries < 20; tries += 1) {
      expect((await fetch(`${store.url}/products`)).status).toBe(200);
    }
    for (const response of await Promise.all(slow)) expect(response).toMatch(/^HTTP\/1\.1 408/);
  });

  test("that sends 200 kB as an email address keeps nobody waiting", async () => {
    const product = await addProduct(admin);
    const before = process.cpuUsage();
    const response = await fetch(`${store.url}/products/${product._id}/alert-email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: `a@${".".repeat(200_000)}@` }),
    });
    expect(response.status).toBe(422);
    // of this process, which runs the store
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });

  test("that disconnects early has its call executed without an error", async () => {
    const user = await register(store);
    const description = `Sent in a hurry, ${crypto.randomUUID()}.`;
    const body = JSON.stringify({ rating: 4, description });
    const socket = connect(Number(new URL(store.url).port), "127.0.0.1");
    await once(socket, "connect");
    await new Promise((resolve) => setTimeout(resolve, 100));
    const head = `POST /reviews HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n`;
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    // in one write: the store reads it after the client has disconnected
    socket.resetAndDestroy();
    await expect
      .poll(async () => JSON.stringify(await clientOf(store).call("listReviews", {})), { timeout: 10_000 })
      .toContain(description);
  });

  test.each(["/openapi.json", "/logo-mark.svg"])(
    "that requests %s with its own query has it rendered once",
    async (path) => {
      const isMade = async (path: string) => {
        const response = await fetch(store.url + path);
        expect(response.status).toBe(200);
        // cached responses are not rate limited
        return response.headers.has("x-ratelimit-limit");
      };
      expect(await isMade(`${path}?0`)).toBe(true);
      for (const question of ["", "?1", "?2=%3F?"])
        expect(await isMade(path + question), question).toBe(false);
    },
  );

  test.each(["/assets/../tools", "/assets/missing.js"])("that has %s rendered is limited", async (path) => {
    const response = await sendRaw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^x-ratelimit-limit: 1500\r$/m);
  });

  test("is identified by X-Forwarded-For only behind a local proxy", async () => {
    // trusted from loopback; the IP address that counts is the last one set by a trusted proxy
    const user = clientOf(store);
    const response = await user.fetch("/metrics", { headers: { "x-forwarded-for": "127.0.0.1" } });
    expect(response.status).toBe(404);
  });
});
