import { connect } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "../../api/call.ts";
import { type CallName, contract, ignoresUnknown } from "../../api/contract.ts";
import { toOpenApi } from "../../api/openapi.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { type Parts, type Reply, replyOf, urlOf } from "../harness/client.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { disablePolling, dropWebhooks } from "../harness/orders.ts";
import { openStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";
import { type Fixture, sampleOf } from "./samples.ts";

const calls = Object.keys(contract) as CallName[];
const callOf = (name: CallName): Call => contract[name];
// invalid forms are tested in test/integration/import
const withBody = calls.filter((name) => callOf(name).body && !callOf(name).upload);
const withParams = calls.filter((name) => callOf(name).params);
const withQuery = calls.filter((name) => callOf(name).query);

let fixture: Fixture;
beforeAll(async () => {
  const store = await openStore();
  await dropWebhooks(store);
  await disablePolling(store);
  const [admin, owner] = [await adminOf(store), await register(store, "Olga Owner")];
  fixture = { store, admin, owner, other: owner };
});
afterAll(() => fixture.store.stop());

/** Callers that may make the call, as in the samples. */
function authorizedUser(name: CallName): SignedIn {
  return callOf(name).access === "admin" ? fixture.admin : fixture.owner;
}

async function send(name: CallName, parts: Parts, body: BodyInit | null, type: string): Promise<Reply> {
  const { method } = contract[name];
  const headers = { "content-type": type };
  return replyOf(await authorizedUser(name).fetch(urlOf(name, parts), { method, body, headers }));
}

/** Every refusal is problem JSON with a reason. */
function expectProblem({ status, headers, body }: Reply, ...statuses: number[]): void {
  const response = `${status} ${JSON.stringify(body)}`;
  expect(statuses, response).toContain(status);
  expect(headers.get("content-type"), response).toMatch(/^application\/problem\+json/);
  expect(body, response).toMatchObject({
    status,
    title: expect.any(String),
    detail: expect.stringMatching(/\S/),
  });
}

describe.each(withBody)("%s refuses", (name) => {
  // what is refused changes nothing, so one sample is enough
  let parts: Parts;
  beforeAll(async () => {
    parts = await sampleOf(name, fixture);
  });

  test("a body that is not JSON", async () => {
    const inLatin1 = Buffer.from('{"name":"Café"}', "latin1");
    for (const body of ["{", "{'a':1}", "[1,]", '{"a":1', "undefined", '"\\x"', "\u0000", "{}{}", inLatin1]) {
      const reply = await send(name, parts, body, "application/json");
      expectProblem(reply, 400);
      expect(reply.body.detail).toBe(refusals.badJson);
    }
  });

  test("a body of another kind", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"]) {
      const reply = await send(name, parts, JSON.stringify(parts.body ?? {}), type);
      expectProblem(reply, 415);
      expect(reply.body.detail).toBe(refusals.badContentType);
    }
  });

  test("a body over the limit", async () => {
    const megabytes = callOf(name).manyLines ? 2 : 1;
    const big = JSON.stringify({
      ...(parts.body as object),
      description: "x".repeat(megabytes * 1024 * 1024),
    });
    const reply = await send(name, parts, big, "application/json");
    expectProblem(reply, 413);
    expect(reply.body.detail).toBe(refusals.bodyTooLarge);
  });

  test("members that would pollute prototypes", async () => {
    const inside = JSON.stringify(parts.body ?? {}).slice(1, -1);
    for (const member of ['"__proto__":{"role":"admin"}', '"constructor":{"prototype":{"role":"admin"}}']) {
      const body = `{${[inside, member].filter(Boolean).join(",")}}`;
      expectProblem(await send(name, parts, body, "application/json"), 400);
    }
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test("a body that is not an object", async () => {
    for (const body of ["null", "1", '"text"', "[]", "[{}]", "true"]) {
      const reply = await send(name, parts, body, "application/json");
      if (body === "null" && callOf(name).body?.safeParse(undefined).success) continue;
      expectProblem(reply, 422);
      expect(reply.body.fields).toHaveProperty("body");
    }
  });

  test("any mutation of one member, without a 500", async () => {
    const parts = await sampleOf(name, fixture);
    const body = (parts.body ?? {}) as Record<string, unknown>;
    const members = [...new Set([...Object.keys(body), ...membersOf(name)])];
    for (const member of members) {
      for (const value of evil) {
        const reply = await authorizedUser(name).send(name, { ...parts, body: { ...body, [member]: value } });
        expectHandled(name, reply, `${member}: ${JSON.stringify(value)?.slice(0, 80)}`);
      }
    }
  });

  test("any JSON, without a 500", async () => {
    const parts = await sampleOf(name, fixture);
    const members = membersOf(name);
    const body = fc.dictionary(fc.constantFrom(...members, "more"), fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(body, async (any) => {
        expectHandled(
          name,
          await authorizedUser(name).send(name, { ...parts, body: any }),
          JSON.stringify(any),
        );
      }),
      { numRuns: 25 },
    );
  });
});

/** Values that have caused failures elsewhere. */
const evil: unknown[] = [
  null,
  true,
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udc00b",
  "😀 Ünï€ødé \u202e",
  "x".repeat(100_000),
  "'; DROP TABLE shop.product; --",
  "../../etc/passwd",
  -1,
  0,
  -0,
  1.5,
  0.001,
  1e308,
  9_007_199_254_740_992,
  2_147_483_648,
  "1",
  [],
  [[]],
  {},
  { $gt: "" },
  { toString: "no" },
];

function membersOf(name: CallName): string[] {
  const { body } = callOf(name) as { body?: { def?: { innerType?: unknown } } };
  const inner = (body?.def?.innerType ?? body) as { shape?: object } | undefined;
  return Object.keys(inner?.shape ?? { member: 1 });
}

// a refund of all for a misspelt amount, an import for a misspelt dry run
describe.each(calls)("%s", (name) => {
  const { method, access } = callOf(name);
  const takes = (part: "query" | "body") =>
    ignoresUnknown(name) || (part === "query" && method === "GET" && access === "anyone");

  test.each(["query", "body"] as const)("with an unknown member of its %s", async (part) => {
    if (part === "body" && method === "GET") return;
    const parts = await sampleOf(name, fixture);
    const given = { ...parts, [part]: { ...(parts[part] as object), quantitty: "5" } };
    const reply = await authorizedUser(name).send(name, given);
    if (takes(part)) return expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expectProblem(reply, 422);
    expect(reply.body.fields).toEqual({ quantitty: "“quantitty” is not known here. Check its spelling." });
  });
});

const searches = withQuery.filter(
  (name) =>
    callOf(name).access !== "anyone" && "q" in (callOf(name).query as unknown as { shape: object }).shape,
);

test.each(searches)("%s takes ten words, and does not leave out an eleventh", async (name) => {
  const find = (words: number) =>
    authorizedUser(name).fetch(`${urlOf(name, {})}?q=${"a+".repeat(words - 1)}a`);
  expect((await find(10)).status).toBe(200);
  const reply = await replyOf(await find(11));
  expectProblem(reply, 422);
  expect(reply.body.fields).toEqual({ q: "Search for at most 10 words." });
});

const exports = withQuery.filter((name) => callOf(name).csv);

// as of an unset variable in a script: all rows would be exported
test.each(exports)("%s refuses a blank filter", async (name) => {
  const { shape } = callOf(name).query as unknown as { shape: object };
  const path = urlOf(name, await sampleOf(name, fixture));
  for (const member of Object.keys(shape))
    for (const blank of ["", "%20"]) {
      const reply = await replyOf(await fixture.admin.fetch(`${path}?${member}=${blank}`));
      expectProblem(reply, 422);
      expect(Object.keys(reply.body.fields)).toEqual([member]);
    }
});

test("unknown members are named, also one that an object has by itself, and not all of thousands", async () => {
  const address = { name: "Canal Yard", address: "Unit 6" };
  const body = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`member ${index}`, 1]));
  const { body: problem } = await fixture.owner.send("addAddress", { body: { ...address, ...body } });
  expect(Object.keys(problem.fields)).toHaveLength(20);
  const long = await fixture.owner.send("addAddress", { body: { ...address, ["x".repeat(100_000)]: 1 } });
  expect(long.body.detail.length).toBeLessThan(150);
  const inherited = await replyOf(await fixture.owner.fetch("/account/activity?__proto__=1&toString=2"));
  expect(Object.keys(inherited.body.fields)).toEqual(["__proto__", "toString"]);
});

const { paths } = toOpenApi("https://shop.example") as { paths: Record<string, Record<string, Operation>> };
const operations = Object.values(paths).flatMap((path) => Object.values(path));
interface Operation {
  operationId: string;
  responses: object;
}

const documented = (name: CallName) =>
  Object.keys(operations.find(({ operationId }) => operationId === name)?.responses ?? {});

/** Accepted or refused with a reason, but never a failure of the store; with a documented status. */
function expectHandled(name: CallName, reply: Reply, input: string): void {
  expect(documented(name), `${name} ${input}`).toContain(String(reply.status));
  if (reply.status === 200 || reply.status === 202) return;
  const label = `${input} → ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`;
  expect(reply.status, label).toBeGreaterThanOrEqual(400);
  expect(reply.status, label).toBeLessThan(500);
  expect(reply.body.detail, label).toMatch(/\S/);
  if (reply.status === 422) expect(Object.keys(reply.body.fields ?? {}), label).not.toEqual([]);
}

describe.each(withParams)("%s refuses", (name) => {
  test("invalid path parameters", async () => {
    const parts = await sampleOf(name, fixture);
    const bad = [
      "1",
      "x",
      "null",
      "undefined",
      "\u0000",
      "😀",
      "a b",
      "'",
      "a@b",
      "__proto__",
      "-".repeat(36),
      "x".repeat(1000),
    ];
    for (const [key] of Object.entries(parts.params ?? {})) {
      for (const value of bad) {
        const params = { ...parts.params, [key]: value };
        const reply = await authorizedUser(name).send(name, { ...parts, params });
        // a valid id of nothing
        const isId = callOf(name).params?.safeParse(params).success;
        expectProblem(reply, isId ? 404 : 422);
        if (!isId) expect(Object.keys(reply.body.fields), value).toContain(key);
      }
      const long = { ...parts.params, [key]: "x".repeat(5000) };
      const reply = await authorizedUser(name).send(name, { ...parts, params: long });
      expect([404, 414, 422], `${reply.status}`).toContain(reply.status);
    }
  });

  test("a URL with a broken encoding", async () => {
    const { method, path } = contract[name];
    const broken = path.replace(/\{\w+\}/g, "%E0%A4%A");
    expectProblem(await replyOf(await authorizedUser(name).fetch(broken, { method })), 400, 404);
  });
});

describe.each(withQuery)("%s refuses", (name) => {
  const members = Object.keys((callOf(name).query as unknown as { shape: object }).shape);
  // reading changes nothing, so one sample is enough
  let path: string;
  beforeAll(async () => {
    path = urlOf(name, await sampleOf(name, fixture));
  });

  const limits = ["0", "-1", "1.5", "x", "1e9", "1&limit=2", "", "%00"];
  test.each(members.includes("limit") ? limits : [])("?limit=%s", async (limit) => {
    const reply = await replyOf(await authorizedUser(name).fetch(`${path}?limit=${limit}`));
    expectProblem(reply, 422);
    expect(reply.body.fields).toHaveProperty("limit");
    if (limit === "1e9") expect(reply.body.detail).toMatch(/^Enter \d+ or less\.$/);
  });

  test("or accepts any other query, without a 500", async () => {
    for (const key of members) {
      for (const value of [
        "",
        "%00",
        "x",
        "%F0%9F%98%80",
        "a%00b",
        "1",
        "-1",
        "0".repeat(36),
        "%25",
        "'",
        "[]",
      ]) {
        const reply = await replyOf(await authorizedUser(name).fetch(`${path}?${key}=${value}`));
        expectHandled(name, reply, `${key}=${value}`);
      }
    }
  });
});

describe("a path of the contract", () => {
  test.each([...new Set(calls.map((name) => contract[name].path))])(
    "%s refuses other methods",
    async (path) => {
      const known: string[] = calls
        .filter((name) => contract[name].path === path)
        .map((name) => contract[name].method);
      const other = ["POST", "PUT", "PATCH", "DELETE"].filter((method) => !known.includes(method));
      for (const method of other) {
        const url = path.replace("{id}", crypto.randomUUID()).replace("{email}", fixture.owner.email);
        if (calls.some((name) => contract[name].method === method && matches(contract[name].path, url)))
          continue;
        const reply = await replyOf(await fixture.admin.fetch(url, { method }));
        expectProblem(reply, 405);
        const allowed = known.includes("GET") ? [...known, "HEAD"] : known;
        expect(reply.headers.get("allow")?.split(", ")).toEqual(expect.arrayContaining(allowed));
      }
    },
  );
});

test.each(["/", "/login", "/tools", "/dashboard/orders", `/product/${crypto.randomUUID()}`, "/robots.txt"])(
  "the page %s refuses other methods",
  async (path) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const reply = await replyOf(await fixture.admin.fetch(path, { method }));
      expectProblem(reply, 405);
      expect(reply.headers.get("allow")).toBe("GET, HEAD");
    }
    expect((await fixture.admin.fetch("/nowhere", { method: "POST" })).status).toBe(404);
  },
);

function matches(path: string, url: string): boolean {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(url);
}

test.each([
  "Bearer",
  "Bearer  ",
  "Basic YTpi",
  "Bearer a.b",
  "Bearer ééé",
  `Bearer ${"x".repeat(9000)}`,
  "x",
])("an Authorization header without a token is refused: %s", async (authorization) => {
  const path = `/purchase/${fixture.owner.email}`;
  const reply = await replyOf(
    await fetch(fixture.store.url + path, { headers: { authorization: encodeURI(authorization) } }),
  );
  expectProblem(reply, 401);
  expect(reply.headers.get("www-authenticate")).toBe("Bearer");
});

// bypassing clients that would fix it first
test.each([
  "//",
  "///",
  "//:80",
  "//[",
  "//evil.example/tools",
  "/\\evil.example/tools",
  "http://ada:secret@localhost/",
  "http://ada@localhost/dashboard",
])("%j, which is not a path of this store, is not found", async (url) => {
  const socket = connect(Number(new URL(fixture.store.url).port), "localhost");
  socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1\.1 404 /);
  expect(response).toContain("application/problem+json");
});

test("afterwards the doctor finds nothing", () => expectConsistentStore(fixture.store.pool));
