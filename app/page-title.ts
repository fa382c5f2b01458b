/** What the head of a public page says: title, description and Open Graph. */
import type { MetaDescriptor } from "react-router";

/** `title` without the store's name; `description` one or two sentences. */
export function pageTitle(title: string, description?: string): MetaDescriptor[] {
  const full = `${title} | Stator`;
  const tags: MetaDescriptor[] = [{ title: full }];
  if (!description) return tags;
  return [
    ...tags,
    { name: "description", content: description },
    { property: "og:title", content: full },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Stator" },
  ];
}
