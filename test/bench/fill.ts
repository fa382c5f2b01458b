/**
 * `npm run generate -- 100000`: fills a running store's database with a large catalogue, for trying things out.
 * The store is the one of DATA_DIR (./data), or of DATABASE_URL.
 */
import { resolve } from "node:path";
import { generate } from "./generate.ts";
import { connectionOf } from "./processes.ts";

const target = Number(process.argv[2]);
if (!Number.isInteger(target) || target < 1) {
  process.stderr.write("How many tools? For example: npm run generate -- 100000\n");
  process.exit(1);
}
const { DATABASE_URL, DATA_DIR = "./data" } = process.env;
const connection = DATABASE_URL ? { connectionString: DATABASE_URL } : connectionOf(resolve(DATA_DIR));
await generate(connection, target, (line) => process.stdout.write(`${line}\n`));
