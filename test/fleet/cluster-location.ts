import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type ClusterLocation, chooseLocation } from "../../database/embedded/location.ts";

/** Where a test keeps a PostgreSQL of its own, and the account that runs it. */
export function locationIn(home: string): ClusterLocation {
  const sockets = join(home, "run");
  mkdirSync(sockets, { recursive: true, mode: 0o711 });
  return chooseLocation(home, sockets, (line) => console.error(line));
}
