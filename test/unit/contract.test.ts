/** What every call of the contract declares. */
import { expect, test } from "vitest";
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
