/** What every call of the contract declares. */
import { expect, test } from "vitest";
import { z } from "zod";
import type { Call } from "../../api/call.ts";
import { contract } from "../../api/contract.ts";

const calls = Object.entries<Call>(contract);

test("every write declares its idempotency, and no read does", () => {
  for (const [name, { method, idempotency }] of calls)
    expect([name, idempotency !== undefined]).toEqual([name, method !== "GET"]);
});

test("only writes without a signed-in user, or with a password, ignore the idempotency key", () => {
  const ignoring = calls.filter(([, { idempotency }]) => idempotency === "none").map(([name]) => name);
  expect(ignoring.toSorted()).toEqual(["askForStockAlert", "checkLines", "confirmAccount", "issueToken"]);
});

test("every list of an admin's table is also exported as CSV", () => {
  const exported = new Map([
    ["/purchases", "/admin/orders"],
    ["/purchase", "/admin/orders"],
    ["/user", "/admin/users"],
  ]);
  const paths = new Set(calls.map(([, { path }]) => path));
  const lists = calls.filter(
    ([, { method, access, query }]) =>
      method === "GET" && access === "admin" && query instanceof z.ZodObject && "cursor" in query.shape,
  );
  expect(lists.length).toBeGreaterThan(10);
  for (const [, { path }] of lists) expect(paths).toContain(`${exported.get(path) ?? path}/export.csv`);
});
