import { DASHBOARD, isSharedAndProtected, pages } from "../../api/pages.ts";
import { pageConfig } from "../data/loader-context.ts";
import type { Route } from "./+types/robots.ts";

/** Protected pages redirect to the login, so crawlers should not request them. */
export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(pageConfig);
  const shared = pages.filter(isSharedAndProtected).map(({ path }) => path.split(":")[0]);
  const lines = [
    "User-agent: *",
    ...[DASHBOARD, ...shared, "/api/"].map((path) => `Disallow: ${path}`),
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
