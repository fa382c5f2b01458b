/**
 * The examples of the API reference are recorded requests and responses. After a change of the contract they are
 * recorded again with `npm run examples`.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Call } from "../../api/call.ts";
import { type CallName, contract } from "../../api/contract.ts";
import { examples } from "../../api/examples.ts";
import { exportCalls } from "../../api/export-calls.ts";
import { toOpenApi } from "../../api/openapi.ts";
import { COLUMNS } from "../../shop/import/column-names.ts";
import { type Client, clientOf, urlOf } from "../harness/client.ts";
import { disablePolling, dropWebhooks } from "../harness/orders.ts";
import { openStore } from "../harness/store.ts";
import { adminOf, register } from "../harness/users.ts";
import { type Fixture, sampleOf } from "./samples.ts";

const names = Object.keys(contract) as CallName[];

test.runIf(process.env.RECORD_EXAMPLES)(
  "records the examples",
  async () => {
    const store = await openStore({ sample: true });
    await dropWebhooks(store);
    await disablePolling(store);
    const fixture: Fixture = {
      store,
      admin: await adminOf(store),
      owner: await register(store, "Olga Owner"),
      other: await register(store, "Otto Other"),
    };
    const clients: Record<Call["access"], Client> = {
      anyone: clientOf(store),
      session: clientOf(store, { cookie: fixture.owner.cookie }),
      user: fixture.owner,
      self: fixture.owner,
      selfOrAdmin: fixture.owner,
      buyer: fixture.owner,
      buyerOrAdmin: fixture.owner,
      admin: fixture.admin,
    };
    const recorded: Record<string, unknown> = {};
    for (const name of names) {
      const parts = await sampleOf(name, fixture);
      const { status, body } = await clients[contract[name].access].send(name, parts);
      expect(status, `${name}: ${JSON.stringify(body)}`).toBe((contract[name] as Call).status ?? 200);
      const url = urlOf(name, parts);
      const example = { url, ...(parts.body !== undefined && { body: parts.body }), output: body };
      recorded[name] = shorten(example, genericTexts(store.url));
    }
    writeFileSync("api/examples.json", JSON.stringify(recorded, null, 2));
    execFileSync("node_modules/.bin/biome", ["format", "--write", "api/examples.json"]);
    await store.stop();
  },
  300_000,
);

describe.skipIf(process.env.RECORD_EXAMPLES)("the example of", () => {
  test.each(names)("%s matches the contract", (name) => {
    const call: Call = contract[name];
    const example = examples[name];
    if (!example) throw new Error(`${name} has no example: run npm run examples.`);
    const { url, body, output } = example;
    const path = new RegExp(`^${call.path.replace(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
    expect(url).toMatch(path);
    if (call.body) expect(call.body.safeParse(body).error).toBeUndefined();
    else expect(body).toBeUndefined();
    expect(call.output.safeParse(output).error).toBeUndefined();
  });

  test.each(Object.keys(exportCalls) as CallName[])("%s has the columns that its summary names", (name) => {
    const [heading = ""] = String(examples[name]?.output).split("\r\n");
    const [, named = ""] = /as CSV: (.*?)[.] Times/.exec((contract[name] as Call).summary) ?? [];
    const columns = named.replace(/;.*/, "").split(", ");
    expect(heading.split(",").slice(0, columns.length)).toEqual(columns);
    if (name !== "exportImportRows") expect(heading.split(",")).toHaveLength(columns.length);
  });

  test("exportProducts has the columns of an import", () => {
    expect(String(examples.exportProducts?.output).split("\r\n")[0]).toBe(COLUMNS.join(","));
  });

  test("every call is in openapi.json", () => {
    const { paths } = toOpenApi("https://shop.example") as { paths: Record<string, Record<string, object>> };
    for (const name of names) {
      const { csv, status = 200 }: Call = contract[name];
      const output = examples[name]?.output;
      const operations = Object.values(paths).flatMap((path) => Object.values(path));
      expect(
        operations.find((operation) => "operationId" in operation && operation.operationId === name),
      ).toMatchObject({
        responses: {
          [status]: { content: { [csv ? "text/csv" : "application/json"]: { example: output } } },
        },
      });
    }
  });
});

const MAX_TEXT_LENGTH = 200;

/** At most two members of a list of objects, and no long texts. */
function shorten(value: unknown, generic: (text: string) => string): unknown {
  const part = (member: unknown) => shorten(member, generic);
  if (Array.isArray(value)) return (typeof value[0] === "object" ? value.slice(0, 2) : value).map(part);
  if (value instanceof Uint8Array) return "…";
  if (typeof value === "string") return generic(value).slice(0, MAX_TEXT_LENGTH);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, part(member)]));
}

/** Of a month. */
const isFirst = (date: string) => date.endsWith("-01");

/** The same ids, URLs, emails, IP addresses, dates and times in every recording, whichever calls come before; no secrets. */
function genericTexts(url: string): (text: string) => string {
  const ids = new Map<string, string>();
  const dates = new Map<string, string>();
  return (text) =>
    text
      .replaceAll(url, "https://shop.example")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!ids.has(id)) ids.set(id, `019a8d6e-4c00-7000-8000-${String(ids.size + 1).padStart(12, "0")}`);
        return ids.get(id) as string;
      })
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2026-11-23T09:12:00.000Z")
      .replace(/^\d{4}-\d\d-\d\d$/, (date) => {
        const { size } = dates;
        if (!dates.has(date))
          dates.set(date, isFirst(date) ? `2026-${10 + size}-01` : `2026-11-${23 + size}`);
        return dates.get(date) as string;
      })
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJhbGciOiJFUzI1NiJ9.…")
      .replace(/\b(pi|re)_\w{6,}/g, "$1_4UC5wy")
      .replace(/\b\d{13}-(?=\d)/g, "1795728307120-")
      .replace(/^(next|previous)\.[\w-]+(?=\.[\w-]+$)/, "$1.MDFhMjE5YmYtNDE1OA")
      .replaceAll("127.0.0.1", "203.0.113.7")
      .replace(/[\w-]{36}@buyers/g, "vera@buyers")
      .replace(/(\w+)\.[0-9a-f]{8}(@|%40)buyers\.example/g, "$1$2buyers.example");
}
