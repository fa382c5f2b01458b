/** The router's configuration, derived from the table of pages (api/pages.ts). */
import { basename } from "node:path";
import { index, layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { DASHBOARD, isBelowDashboard, type Page, pages } from "../api/pages.ts";

const isDevelopment = process.env.NODE_ENV === "development";

/** The routes of the pages for which `isIncluded` is true, with paths relative to `parent`. */
function routesOf(isIncluded: (page: Page) => boolean, parent = ""): RouteConfigEntry[] {
  const included = pages.filter((page) => isIncluded(page) && (isDevelopment || !page.developmentOnly));
  return included.map(({ path, file }) => {
    const relative = path.slice(parent.length).replace(/^\//, "");
    return relative === "" ? index(`pages/${file}`) : route(relative, `pages/${file}`);
  });
}

/** Uses the file's name as id instead of its path: the first page sends every id to the browser. */
const withShortIds = (routes: RouteConfigEntry[]): RouteConfigEntry[] =>
  routes.map((entry) => ({
    ...entry,
    id: basename(entry.file).replace(/\.tsx?$/, ""),
    ...(entry.children && { children: withShortIds(entry.children) }),
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
