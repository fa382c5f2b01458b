/** The names in the loader data of every page, which a page of another build reads after a navigation. */
import { pages } from "../../api/pages.ts";
import type { SignedIn } from "../harness/users.ts";
import type { FleetNode } from "./node.ts";

/** Returns `path: name` for each member of what the node sends for a page. `ids` are by the path of the page. */
export async function loaderDataNames(
  node: FleetNode,
  users: { user: SignedIn; admin: SignedIn },
  ids: Record<string, string>,
): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { path, access, resource, developmentOnly } of pages) {
    if (resource || developmentOnly || path === "*") continue;
    const { cookie } = access === "admin" ? users.admin : users.user;
    const shown = path.includes(":") ? path.replace(/:\w+/, ids[path] as string) : path;
    const response = await fetch(`${node.url}${shown === "/" ? "/_" : shown}.data`, { headers: { cookie } });
    if (!response.ok) throw new Error(`${shown}: ${response.status}`);
    for (const name of memberNames(await response.text())) names.add(`${path}: ${name}`);
  }
  return names;
}

/** Of React Router's format: a list per line, whose objects refer to the position of each name, as in `{"_3":4}`. */
function memberNames(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const start = line.indexOf("[");
    if (start < 0) return [];
    const values = JSON.parse(line.slice(start)) as unknown[];
    const keys = values.flatMap((value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [],
    );
    return keys.map((key) => String(values[Number(key.slice(1))]));
  });
}
