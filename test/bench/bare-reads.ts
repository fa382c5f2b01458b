/** The limit of reading: the same prepared statement, its rows sent as JSON, without the store. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import pg from "pg";
import { FIND_PRODUCT, ON_SALE } from "../../shop/products/queries.ts";

/** Lower than any id. */
const NIL = "00000000-0000-0000-0000-000000000000";

const connection = (await json(process.stdin)) as pg.PoolConfig;
const pool = new pg.Pool({ ...connection, max: 16 });

const LIST = `${ON_SALE} AND id > $1 ORDER BY id LIMIT $2`;

/** A cursor is not an id here: any product will do. */
function after(cursor: string | null): string {
  return cursor?.split(".")[2] ?? NIL;
}

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url as string, "http://bare");
  const id = pathname.split("/")[2];
  const query =
    id === undefined
      ? { name: "list", text: LIST, values: [after(searchParams.get("cursor")), 31] }
      : { name: "one", text: FIND_PRODUCT, values: [id] };
  const { rows } = await pool.query(query);
  const body = JSON.stringify(rows);
  response
    .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    .end(body);
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("ready"));
process.on("SIGTERM", () => process.exit(0));
