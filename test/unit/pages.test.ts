/** The table of pages and its derivations. */
import { readFileSync } from "node:fs";
import { ADMIN_PATHS } from "virtual:admin-paths";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { describe, expect, test } from "vitest";
import { contract } from "../../api/contract.ts";
import { isBelowDashboard, isSharedAndProtected, pages, pathPattern } from "../../api/pages.ts";
import routes from "../../app/routes.ts";
import { files } from "../architecture/imports.ts";

describe("the table of pages", () => {
  test("becomes the routes, each admin page inside their layout", async () => {
    const found = leavesOf((await routes) as RouteConfigEntry[]);
    const listed = pages.filter(({ developmentOnly }) => !developmentOnly);
    expect(found.map(({ path }) => path).sort()).toEqual(listed.map(({ path }) => path).sort());
    for (const { path, layouts } of found) {
      const page = listed.find((one) => one.path === path);
      expect(layouts.includes("pages/admin/admin-layout.tsx"), path).toBe(page?.access === "admin");
      expect(layouts.includes("pages/dashboard/dashboard-layout.tsx"), path).toBe(
        page && isBelowDashboard(page),
      );
    }
  });

  test("has the pages of the specification, each with its access", () => {
    const rows = readFileSync("docs/specification.md", "utf8").matchAll(/^\| (\/\S*) \| ([\w ]+) \|/gm);
    const specified = [...rows].map(([, path = "", access]) => ({
      path: path.replace("{id}", ":id"),
      access: access === "admin only" ? "admin" : access === "protected" ? "user" : "public",
    }));
    expect(specified).toHaveLength(15);
    expect(pages).toEqual(expect.arrayContaining(specified.map((page) => expect.objectContaining(page))));
  });

  test("protects every page that is not public: below /dashboard, or by the browser's guard", () => {
    for (const page of pages)
      expect(page.access !== "public", page.path).toBe(isBelowDashboard(page) || isSharedAndProtected(page));
    expect(pages.filter(isSharedAndProtected).map(({ path }) => path)).toEqual(["/product/:id", "/checkout"]);
  });

  test("names at most one page per call, with the parameters of the call", () => {
    const calls = pages.flatMap((page) => (page.calls ?? []).map((name) => ({ name, page })));
    expect(new Set(calls.map(({ name }) => name)).size).toBe(calls.length);
    for (const { name, page } of calls) {
      expect(contract[name].method, name).toBe("GET");
      if (page.path.includes(":id")) expect(contract[name].path, name).toContain("{id}");
    }
  });

  test("is the only list of pages", () => {
    const names = pages.map(({ path }) => path.split("/")[2]).filter((name) => name && !name.startsWith(":"));
    const copies = files.filter((file) => {
      if (file.startsWith("api/")) return false;
      const code = readFileSync(file, "utf8");
      return names.filter((name) => new RegExp(`["'|(/]${name}["'|)]`).test(code)).length > 5;
    });
    expect(copies).toEqual([]);
  });
});

describe("a pattern of paths", () => {
  const guarded = pathPattern(isSharedAndProtected);
  test.each(["/product/1", "/PRODUCT/1/", "/product/1?from=x", "/product/1/#a"])("matches %s", (path) => {
    expect(guarded.test(path)).toBe(true);
  });

  test.each(["/product", "/product/", "/product/1/nope", "/a/product/1", "/dashboard/orders", "/"])(
    "does not match %s",
    (path) => {
      expect(guarded.test(path)).toBe(false);
    },
  );

  test("of admins matches their pages only", () => {
    for (const { path, access } of pages)
      expect(ADMIN_PATHS.test(path.replace(":id", "1")), path).toBe(access === "admin");
    expect(ADMIN_PATHS.test("/dashboard/manageOrder?status=paid")).toBe(true);
    expect(ADMIN_PATHS.test("/dashboard/audit-logOfStator")).toBe(false);
  });
});

interface Leaf {
  path: string;
  layouts: string[];
}

function leavesOf(entries: RouteConfigEntry[], above = "", layouts: string[] = []): Leaf[] {
  return entries.flatMap(({ path, file, children }) => {
    const whole = path === "*" ? "*" : [above, path].filter(Boolean).join("/");
    if (children) return leavesOf(children, whole, [...layouts, file]);
    return [{ path: whole === "*" ? "*" : `/${whole}`, layouts }];
  });
}
