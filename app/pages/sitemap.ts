import { pages } from "../../api/pages.ts";
import { pageConfig } from "../data/loader-context.ts";
import type { Route } from "./+types/sitemap.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(pageConfig);
  const listed = pages.filter(({ sitemap }) => sitemap);
  const urls = listed.map(({ path }) => `<url><loc>${publicUrl}${path}</loc></url>`).join("");
  const xml = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
