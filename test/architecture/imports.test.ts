/** The imports that each folder may have (CONTRIBUTING.md). */
import { describe, expect, test } from "vitest";
import { files, findCycle, folderOf, type Import, imports, impureImportsOf, pureFiles } from "./imports.ts";

const pure = pureFiles();
const shown = (found: Import[]) => found.map(({ from, to }) => `${from} imports ${to}`);
const reasonsOf = (impure: string[]) => shown(impureImportsOf(impure, pure)).join("\n");
const between = (from: string, to: string[]) =>
  imports.filter(
    (one) => folderOf(one.from) === from && to.includes(folderOf(one.to) ?? "") && !pure.has(one.to),
  );

test("the check sees the source files", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(pure).toContain("shop/money.ts");
  expect(pure).toContain("api/contract.ts");
  expect(pure).not.toContain("shop/orders/place.ts");
  expect(shown(imports)).toContain("shop/orders/place.ts imports shop/orders/rules.ts");
});

describe("imports between folders", () => {
  test("api is pure: it needs only itself, pure rules of shop, and zod", () => {
    const impure = files.filter((file) => file.startsWith("api/") && !pure.has(file));
    expect(impure, reasonsOf(impure)).toEqual([]);
  });

  test("the rules, messages and money of shop are pure", () => {
    const rules = files.filter((file) => /^shop\/((.*\/)?(rules|money)|texts\/.*)\.ts$/.test(file));
    expect(rules.length).toBeGreaterThanOrEqual(4);
    const impure = rules.filter((file) => !pure.has(file));
    expect(impure, reasonsOf(impure)).toEqual([]);
  });

  test("app imports neither operations of shop nor providers, database or server, not even types", () => {
    expect(shown(between("app", ["shop", "providers", "database", "server"]))).toEqual([]);
  });

  test("components and data of app import no page", () => {
    const shared = imports.filter((one) => /^app\/(components|data|performance)\//.test(one.from));
    expect(shown(shared.filter((one) => one.to.startsWith("app/pages/")))).toEqual([]);
  });

  test("shop imports nothing from app, server or providers, not even a type", () => {
    expect(shown(between("shop", ["app", "server", "providers"]))).toEqual([]);
  });

  test("providers know neither app nor server nor the shop's operations", () => {
    expect(shown(between("providers", ["app", "server", "shop"]))).toEqual([]);
  });

  test("the database imports neither app nor server nor the shop's operations nor the providers", () => {
    expect(shown(between("database", ["app", "server", "shop", "providers"]))).toEqual([]);
  });

  test("packages import nothing of the store, and only the server imports them", () => {
    const store = ["app", "api", "shop", "providers", "database", "server"];
    expect(
      shown(
        imports.filter((one) => folderOf(one.from) === "packages" && store.includes(folderOf(one.to) ?? "")),
      ),
    ).toEqual([]);
    const users = imports.filter(
      (one) => folderOf(one.to) === "packages" && folderOf(one.from) !== "packages",
    );
    expect([...new Set(users.map((one) => one.from))]).toEqual(["server/payments.ts"]);
  });

  test("the server imports only types of app, whose pages it has as a build", () => {
    expect(shown(between("server", ["app"]).filter((one) => !one.typeOnly))).toEqual([]);
  });

  test("only the file that exports traces imports OpenTelemetry", () => {
    const users = imports.filter(({ to }) => to.startsWith("@opentelemetry/")).map(({ from }) => from);
    expect([...new Set(users)]).toEqual(["server/tracing/opentelemetry.ts"]);
  });

  test("the product imports no tests", () => {
    expect(shown(imports.filter((one) => one.to.startsWith("test/")))).toEqual([]);
  });

  test("code that the server runs directly has no JSX", () => {
    expect(files.filter((file) => file.endsWith(".tsx") && !file.startsWith("app/"))).toEqual([]);
  });

  test("there is no import cycle", () => {
    expect(findCycle()).toBeNull();
  });
});
