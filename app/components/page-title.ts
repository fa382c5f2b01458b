import type { MetaDescriptor } from "react-router";

/** `title` without the store's name. A page without a `description` is not indexed. */
export function pageTitle(title: string, description?: string): MetaDescriptor[] {
  const full = `${title} | Stator`;
  if (!description) return [{ title: full }, { name: "robots", content: "noindex" }];
  return [
    { title: full },
    { name: "description", content: description },
    { property: "og:title", content: full },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Stator" },
  ];
}
