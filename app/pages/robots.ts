import { pageConfig } from "../data/loader-context.ts";
import type { Route } from "./+types/robots.ts";

/** What a search engine may read: the public pages. */
export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(pageConfig);
  const lines = [
    "User-agent: *",
    "Disallow: /dashboard",
    "Disallow: /product/",
    "Disallow: /api/",
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
