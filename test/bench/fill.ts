/**
 * `npm run generate -- 100000 --customers=20000 --orders=100000 --pictures=1000`: fills a running store's database with
 * a large catalogue, customers, orders and uploaded pictures, for trying things out. The store is the one of DATA_DIR
 * (./data), or of DATABASE_URL.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { connectTo } from "../../database/hosts.ts";
import { readConfig } from "../../server/config.ts";
import { openPictureStorage } from "../../server/pictures.ts";
import { generate } from "./generate.ts";
import { generateOrders } from "./generate-orders.ts";
import { generatePictures } from "./generate-pictures.ts";
import { connectionOf } from "./processes.ts";

const number = { type: "string", default: "0" } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { customers: number, orders: number, pictures: number },
});
const counts = [positionals[0] ?? "0", values.customers, values.orders, values.pictures];
const [tools = 0, customers = 0, orders = 0, pictures = 0] = counts.map(Number);
// npm takes options before -- for its own
const taken = Object.keys(values).some((name) => process.env[`npm_config_${name}`] !== undefined);
if (taken || positionals.length > 1 || !counts.every((typed) => /^\d{1,9}$/.test(typed))) {
  process.stderr.write(
    "How many of each? For example: npm run generate -- 100000 --customers=1000 --orders=5000 --pictures=100\n",
  );
  process.exit(1);
}
const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL, DATA_DIR = "./data" } = process.env;
const connection = DATABASE_DIRECT_URL ? connectTo(DATABASE_DIRECT_URL) : connectionOf(resolve(DATA_DIR));
const print = (line: string) => process.stdout.write(`${line}\n`);
await generate(connection, tools, print);
const client = new pg.Client(connection as pg.ClientConfig);
await client.connect();
await client.query("SET synchronous_commit = off");
await generateOrders(client, { customers, orders }, print);
const storage = await openPictureStorage(readConfig(process.env), client, (error) => print(error.message));
await generatePictures(client, storage, pictures, print);
await client.end();
