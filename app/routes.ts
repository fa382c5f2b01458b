/** The router's configuration, derived from the table of pages (api/pages.ts). */
import { basename } from "node:path";
import { index, layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { DASHBOARD, isBelowDashboard, type Page, pages } from "../api/pages.ts";

const isDevelopment = process.env.NODE_ENV === "development";

/** The routes of the pages selected by `pick`, with paths relative to `parent`. */
function routesOf(pick: (page: Page) => boolean, parent = ""): RouteConfigEntry[] {
  const picked = pages.filter((page) => pick(page) && (isDevelopment || !page.developmentOnly));
  return picked.map(({ path, file }) => {
    const relative = path.slice(parent.length).replace(/^\//, "");
    return relative === "" ? index(`pages/${file}`) : route(relative, `pages/${file}`);
  });
}

/** Uses the file's name as id instead of its path: the first page sends every id to the browser. */
const withShortIds = (routes: RouteConfigEntry[]): RouteConfigEntry[] =>
  routes.map((one) => ({
    ...one,
    id: basename(one.file).replace(/\.tsx?$/, ""),
    ...(one.children && { children: withShortIds(one.children) }),
  }));

export default withShortIds([
  layout("page-boundary.tsx", [
    ...routesOf((page) => !page.resource && !isBelowDashboard(page)),
    route(DASHBOARD.slice(1), "pages/dashboard/dashboard-layout.tsx", [
      ...routesOf((page) => isBelowDashboard(page) && page.access === "user", DASHBOARD),
      layout(
        "pages/admin/admin-layout.tsx",
        routesOf((page) => isBelowDashboard(page) && page.access === "admin", DASHBOARD),
      ),
    ]),
  ]),
  ...routesOf((page) => page.resource === true),
]) satisfies RouteConfig;
