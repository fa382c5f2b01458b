/**
 * The files to open in order to follow a write from its page to the database:
 * 1. from the page to the component or hook that makes the call, along the imports of `app/pages`;
 * 2. the contract that declares the call, the route, the idempotency strategy and the handler;
 * 3. from the operation to the statement that decides, along the imports of `shop`;
 * 4. the migrations with the SQL functions that this statement calls, and those that these call.
 * What every page or every statement uses (the API client, components, the connection) does not count, nor do texts,
 * types, rules and audit triggers, which the path does not lead through.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { files, imports } from "./imports.ts";

export interface Write {
  page: string;
  call: string;
  /** the file with the final statement */
  decides: string;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, "utf8");

/** The files to open, in the order of the request. */
export function pathOf({ page, call, decides }: Write): string[] {
  const sender = only("app/pages/", (code) => new RegExp(`\\bcall(Once)?\\("${call}"`).test(code));
  const contract = only("api/", (code) => new RegExp(`^  ${call}: call\\(`, "m").test(code));
  const handler = only("server/http/api-handlers/", (code) => new RegExp(`^  ${call}: `, "m").test(code));
  return [
    ...shortestPath(page, sender, "app/pages/"),
    contract,
    "server/http/api-routes.ts",
    "shop/idempotency/run-once.ts",
    handler,
    ...shortestPath(operationOf(call, handler), decides, "shop/"),
    ...migrationsOf(read(decides)),
  ];
}

function only(folder: string, matches: (code: string) => boolean): string {
  const found = files.filter((file) => file.startsWith(folder) && matches(read(file)));
  if (found.length !== 1) throw new Error(`Expected one file in ${folder}, found: ${found.join(", ")}`);
  return found[0] as string;
}

/** The file of the function that the handler returns. */
function operationOf(call: string, handler: string): string {
  const operation = new RegExp(`^  ${call}: [^\\n]*?=>\\s*(\\w+)\\(`, "m").exec(read(handler))?.[1];
  const path = new RegExp(`import \\{[^}]*\\b${operation}\\b[^}]*\\} from "[./]*([^"]+)"`).exec(
    read(handler),
  );
  if (!path) throw new Error(`The handler of ${call} calls no imported operation.`);
  return path[1] as string;
}

function shortestPath(from: string, to: string, folder: string): string[] {
  const paths = [[from]];
  const seen = new Set([from]);
  for (const path of paths) {
    const last = path.at(-1) as string;
    if (last === to) return path;
    for (const next of imports) {
      if (next.from !== last || next.typeOnly || !next.to.startsWith(folder) || seen.has(next.to)) continue;
      seen.add(next.to);
      paths.push([...path, next.to]);
    }
  }
  throw new Error(`${from} does not lead to ${to}.`);
}

/** The newest migrations that define the functions which the code calls, directly or through each other. */
function migrationsOf(code: string, found: string[] = []): string[] {
  const migrations = readdirSync(`${root}database/migrations`).filter((name) => name.endsWith(".sql"));
  for (const [, name] of code.matchAll(/\bshop\.(\w+)\(/g)) {
    const define = new RegExp(`CREATE (?:OR REPLACE )?FUNCTION shop\\.${name}\\([\\s\\S]*?END \\$\\$`);
    for (const migration of migrations.toSorted().reverse()) {
      const file = `database/migrations/${migration}`;
      const body = define.exec(read(file))?.[0];
      if (!body) continue;
      if (!found.includes(file)) {
        found.push(file);
        migrationsOf(body, found);
      }
      break;
    }
  }
  return found;
}
