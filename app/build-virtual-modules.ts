/** Modules with the contract and the pages for the browser, without schemas and the 34 kB validation library. */
import type { Plugin } from "vite";
import type { Call } from "../api/call.ts";
import { contract } from "../api/contract.ts";
import { isSharedAndProtected, pages, pathPattern } from "../api/pages.ts";

const modules: Record<string, string> = {
  "virtual:call-table": exportConst("callTable", callTable()),
  "virtual:dashboard-pages": exportConst("dashboardPages", dashboardPages()),
  "virtual:protected-paths": `export const PROTECTED_PATHS = ${pathPattern(isSharedAndProtected)};`,
  "virtual:admin-paths": `export const ADMIN_PATHS = ${pathPattern(({ access }) => access === "admin")};`,
};

export function virtualModules(): Plugin {
  return {
    name: "virtual-modules",
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)],
  };
}

function exportConst(name: string, value: unknown): string {
  return `export const ${name} = ${JSON.stringify(value)};`;
}

/** " /cart" is a GET call with the access token, "POST:/lines/check" a POST call without it. */
function callTable() {
  const withoutToken = ["anyone", "session"];
  // CSV exports are links, not calls
  const entries = Object.entries<Call>(contract).filter(([, { csv }]) => !csv);
  return Object.fromEntries(
    entries.map(([name, { method, path, access }]) => [
      name,
      `${method === "GET" ? "" : method}${withoutToken.includes(access) ? ":" : " "}${path}`,
    ]),
  );
}

function dashboardPages() {
  const nameOf = (path: string) => path.split("/")[2];
  return pages
    .filter(({ label }) => label)
    .map(({ path, label, menu, startsGroup, prefetch }) => {
      const name = nameOf(path);
      const below = pages.filter(({ parents }) => parents?.includes(path)).map((page) => nameOf(page.path));
      const children = [...new Set(below)].filter((child) => child !== name);
      return { name, label, menu, startsGroup, prefetch, ...(children.length > 0 && { children }) };
    });
}
