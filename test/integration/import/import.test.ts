/** Products from CSV files and out again, through the calls, with the job on a real database. */
import { once } from "node:events";
import type { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { exportImportRows } from "../../../shop/import/export.ts";
import { runImport } from "../../../shop/import/run.ts";
import { deleteOldImports } from "../../../shop/import/start.ts";
import { importRefusals } from "../../../shop/texts/import-refusals.ts";
import { expectConsistentStore } from "../../harness/consistency.ts";
import { waitingStatements } from "../../harness/database.ts";
import { addProduct, placeFor } from "../../harness/orders.ts";
import { shopOf } from "../../harness/shop.ts";
import { openStore, type TestStore } from "../../harness/store.ts";
import { adminOf, register, type SignedIn } from "../../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let buyer: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  buyer = await register(store, "Ada");
});
afterAll(() => store.stop());
afterEach(() => expectConsistentStore(store.pool));

type Content = string | Uint8Array<ArrayBuffer>;

async function send(content: Content, dryRun = false): Promise<string> {
  const reply = await admin.send("importProducts", {
    body: { file: { name: "erp.csv", content }, ...(dryRun && { dryRun }) },
  });
  expect([reply.status, reply.body], JSON.stringify(reply.body)).toEqual([202, { _id: expect.any(String) }]);
  return reply.body._id;
}

async function finished(id: string) {
  const find = () => admin.call("findImport", { params: { id } });
  await vi.waitUntil(async () => ["done", "failed"].includes((await find()).state), {
    timeout: 50_000,
    interval: 30,
  });
  return find();
}

const run = async (content: Content, dryRun = false) => finished(await send(content, dryRun));
const rowsOf = (id: string) => admin.call("listImportRows", { params: { id }, query: {} });
const text = async (path: string) => (await admin.fetch(path)).text();
const exported = () => text("/admin/products/export.csv");
const HEADING =
  "item_number,name,category,price,price_breaks,minimum_order,order_multiple,quantity,reorder_point,description,picture";

let number = 0;
const newNumber = () => {
  number += 1;
  return `IM ${number}-A`;
};
const find = async (name: string) => (await admin.call("searchProducts", { query: { q: name } })).products[0];

describe("an import", () => {
  test("adds new products, changes differing ones, leaves the rest, and refuses invalid rows", async () => {
    const [saw, same, added, wrong] = [newNumber(), newNumber(), newNumber(), newNumber()];
    await addProduct(admin, {
      itemNumber: saw,
      name: "Import saw",
      price: 100,
      quantity: 50,
      minimum_order: 10,
    });
    const unchanged = await addProduct(admin, {
      itemNumber: same,
      name: "Import same",
      price: 12.5,
      quantity: 100,
    });
    const content = [
      "Item number;Name;Price;Stock;Minimum order;Multiple;Price breaks;Reorder point;Category;Description;Picture;ERP code",
      `${saw};Import saw;119,50;70;20;10;100=110,00 | 200=99;30;Sawing;A saw.;/tools/saw.svg;x1`,
      `${same};Import same;12.50;100;${unchanged.minimum_order};1;;0;;${unchanged.description};${unchanged.picture};x2`,
      `${added};Import planer;1.490,00;5;1;;;;;"Planes; ""well"".`,
      `Two lines.";https://erp.example/p.jpg;x3`,
      `${wrong};Import wrong;abc;5;1;;;;;A.;/tools/x.svg;x4`,
    ].join("\r\n");
    const result = await run(content);
    expect(result).toMatchObject({
      state: "done",
      progress: 1,
      rows: 4,
      created: 1,
      changed: 1,
      unchanged: 1,
      refused: 1,
      ignored: ["ERP code"],
      fileName: "erp.csv",
    });
    expect(await find(saw)).toMatchObject({
      price: 119.5,
      quantity: 70,
      minimum_order: 20,
      order_multiple: 10,
      price_breaks: [
        { quantity: 100, price: 110 },
        { quantity: 200, price: 99 },
      ],
      category: "Sawing",
      version: 2,
    });
    expect(await find(same)).toEqual({ ...unchanged, version: 1 });
    expect(await find(added)).toMatchObject({
      price: 1490,
      quantity: 5,
      description: 'Planes; "well".\r\nTwo lines.',
    });
    const { records: rows } = await rowsOf(result._id);
    expect(rows.map(({ row, status, reason }) => [row, status, reason])).toEqual([
      [2, "changed", undefined],
      [3, "unchanged", undefined],
      [4, "new", undefined],
      [5, "refused", "price: abc is not a number."],
    ]);
    expect(rows[0]?.changes).toContainEqual({ column: "price", was: "100.00", is: "119.50" });
    const refused = await text(`/admin/imports/${result._id}/refused.csv`);
    expect(refused.split("\r\n")[1]).toBe(
      `${wrong},Import wrong,abc,5,1,,,,,A.,/tools/x.svg,price: abc is not a number.`,
    );
    const forExcel = await admin.fetch(`/admin/imports/${result._id}/refused.csv?bom=true`);
    expect(Buffer.from(await forExcel.arrayBuffer()).toString()).toBe(`\uFEFF${refused}`);
    const { movements } = await admin.call("findStock", {
      params: { id: (await find(saw))?._id ?? "" },
      query: {},
    });
    expect(movements[0]).toMatchObject({ kind: "corrected", pieces: 20, reason: "Import", by: admin.name });
  });

  test("takes the URL of a picture with a scheme in upper case", async () => {
    const item = newNumber();
    const result = await run(
      `item_number,name,price,description,picture\n${item},Loud saw,10,A saw.,HTTPS://example.com/Saw.JPG\n`,
    );
    expect(result).toMatchObject({ state: "done", created: 1, refused: 0 });
    expect(await find(item)).toMatchObject({ picture: "https://example.com/Saw.JPG" });
  });

  test("shows long texts cut between characters", async () => {
    const item = newNumber();
    await addProduct(admin, { itemNumber: item, name: "Described saw" });
    const description = `${"x".repeat(199)}😀 and more`;
    const { _id: id } = await run(`item_number,description\n${item},${description}\n`, true);
    expect((await rowsOf(id)).records[0]?.changes[0]?.is).toBe(`${"x".repeat(199)}…`);
  });

  test("as a dry run changes nothing until it is applied, once", async () => {
    const item = newNumber();
    const product = await addProduct(admin, { itemNumber: item, price: 100, quantity: 50 });
    const { _id: id, ...result } = await run(`item_number,price,quantity\n${item},90,40\n`, true);
    expect(result).toMatchObject({ dryRun: true, state: "done", changed: 1 });
    expect(await find(item)).toEqual(product);
    // pieces that are sold meanwhile stay sold
    await placeFor(buyer, product, 30);
    const applied = await Promise.all([1, 2, 3].map(() => admin.send("applyImport", { params: { id } })));
    expect(applied.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect(await finished(id)).toMatchObject({ state: "done", changed: 1, refused: 0, dryRun: false });
    expect(await find(item)).toMatchObject({ price: 90, quantity: 10 });
    expect((await admin.send("applyImport", { params: { id } })).status).toBe(409);
  });

  test("skips products changed or sold since the comparison", async () => {
    const [edited, sold] = [newNumber(), newNumber()];
    const [first, second] = [
      await addProduct(admin, { itemNumber: edited, price: 100 }),
      await addProduct(admin, { itemNumber: sold, quantity: 50 }),
    ];
    const { _id: id } = await run(`item_number,price,quantity\n${edited},90,500\n${sold},12.50,10\n`, true);
    await admin.call("setReorderPoint", { params: { id: first._id }, body: { reorderPoint: 5 } });
    await placeFor(buyer, second, 20);
    await admin.call("applyImport", { params: { id } });
    expect(await finished(id)).toMatchObject({ changed: 0, refused: 2 });
    expect((await rowsOf(id)).records.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^The tool was changed/),
      expect.stringMatching(/^quantity: Pieces were sold/),
    ]);
    expect(await find(edited)).toMatchObject({ price: 100 });
  });

  test("compared by a release that did not know a column leaves its value, or its default", async () => {
    const [item, added] = [newNumber(), newNumber()];
    const product = await addProduct(admin, { itemNumber: item, price: 100, category: "Drilling" });
    await admin.call("setReorderPoint", { params: { id: product._id }, body: { reorderPoint: 5 } });
    const { _id: id } = await run(
      `item_number,name,price,description,picture\n${item},Kept,90,Old.,/tools/x.svg\n${added},Fresh,80,New.,/tools/x.svg\n`,
      true,
    );
    await store.pool.query(
      `UPDATE shop.product_import_row SET product = product - '{category,reorder_point,order_multiple}'::text[]
       WHERE import_id = $1`,
      [id],
    );
    await admin.call("applyImport", { params: { id } });
    expect(await finished(id)).toMatchObject({ state: "done", changed: 1, created: 1 });
    expect(await find(item)).toMatchObject({ price: 90, category: "Drilling", reorderPoint: 5 });
    expect(await find(added)).toMatchObject({ price: 80, quantity: 0 });
  });

  test("that adds and changes products does not deadlock with an order of one of them", async () => {
    const item = newNumber();
    const { _id } = await addProduct(admin, { itemNumber: item, quantity: 30, minimum_order: 10 });
    const order = await store.pool.connect();
    try {
      await order.query("BEGIN");
      // as an order does: the products first
      await order.query("SELECT FROM shop.product WHERE id = $1 FOR NO KEY UPDATE", [_id]);
      const id = await send(
        `item_number,name,price,description,picture\n${newNumber()},Lathe,10,Turns.,/tools/x.svg\n` +
          `${item},Renamed,10,Drills.,/tools/x.svg\n`,
      );
      await expect.poll(() => waitingStatements(store.pool), { timeout: 10_000 }).toBe(1);
      // fewer than one minimum order are left, which the catalogue shows
      await order.query("UPDATE shop.product SET quantity = 5 WHERE id = $1", [_id]);
      await order.query("ROLLBACK");
      expect(await finished(id)).toMatchObject({ state: "done", created: 1, changed: 1, refused: 0 });
    } finally {
      order.release(true);
    }
  });

  test("of a double click is a single one, while it is running", async () => {
    const content = `item_number,price\n${newNumber()},1\n`;
    const ids = await Promise.all([send(content), send(content)]);
    for (const id of ids) await finished(id);
    const key = { "Idempotency-Key": "one-import" };
    const body = { file: { name: "erp.csv", content }, dryRun: true };
    const again = [
      await admin.send("importProducts", { body }, key),
      await admin.send("importProducts", { body }, key),
    ];
    expect(again[0]?.body).toEqual(again[1]?.body);
  });

  test("says that it waits for a full disk, and then continues by itself", async () => {
    await store.pool.query(`
      CREATE FUNCTION shop.refuse_row() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON shop.product_import_row EXECUTE FUNCTION shop.refuse_row()`);
    const id = await send(`item_number,price\n${newNumber()},1\n`);
    const problem = "Waiting; it continues by itself. The disk is full: could not extend file";
    const find = () => admin.call("findImport", { params: { id } });
    await expect.poll(find).toMatchObject({ state: "running", problem });
    const headers = { cookie: admin.cookie, accept: "text/html" };
    for (const path of [`/dashboard/import/${id}`, "/dashboard/import"]) {
      const page = await (await fetch(`${store.url}${path}`, { headers })).text();
      expect(page).toMatch(path.endsWith(id) ? problem : />Waiting</);
    }
    await store.pool.query(
      "DROP TRIGGER full_disk ON shop.product_import_row; DROP FUNCTION shop.refuse_row",
    );
    await store.pool.query("UPDATE graphile_worker._private_jobs SET run_at = now()");
    const { problem: none, state } = await finished(id);
    expect([none, state]).toEqual([undefined, "done"]);
    store.logs.expect(/job import-products \d+ failed/);
  });

  test("is applied by an admin who signed in within the hour, under their name", async () => {
    const other = await register(store, "Olu Second");
    await admin.call("makeAdmin", { params: { email: other.email }, body: { confirmUnconfirmed: true } });
    const item = newNumber();
    const { _id: product } = await addProduct(admin, { itemNumber: item, quantity: 50 });
    const content = `item_number,quantity\n${item},60\n`;
    const { _id: id } = await run(content, true);
    const age = (hours: number) =>
      store.pool.query(
        `UPDATE identity.session SET "confirmedAt" = now() - $2 * interval '1 hour'
         WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
        [other.email, hours],
      );
    await age(2);
    const body = { file: { name: "erp.csv", content } };
    expect(await other.send("importProducts", { body })).toMatchObject({ status: 403 });
    expect((await other.send("importProducts", { body: { ...body, dryRun: true } })).status).toBe(202);
    expect((await other.send("applyImport", { params: { id } })).status).toBe(403);
    await age(0);
    await other.call("applyImport", { params: { id } });
    expect(await finished(id)).toMatchObject({ changed: 1, by: "Olu Second" });
    const { movements } = await admin.call("findStock", { params: { id: product }, query: {} });
    expect(movements[0]).toMatchObject({ pieces: 10, by: "Olu Second" });
  });

  test("does not bring a tool back that is no longer sold; its rows and the imports are exported", async () => {
    const [archivedNumber, known] = [newNumber(), newNumber()];
    const old = await addProduct(admin, { itemNumber: archivedNumber });
    await admin.call("deleteProduct", { params: { id: old._id } });
    await addProduct(admin, { itemNumber: known, name: "Kept saw", price: 10 });
    const done = await run(`item_number,price\n${archivedNumber},12\n${known},12.50\n`, true);
    expect(done).toMatchObject({ changed: 1, refused: 1 });
    const rows = await text(`/admin/imports/${done._id}/rows/export.csv`);
    expect(rows).toMatch(/^row,result,item_number,tool,reason,name_was,name_is,category_was,/);
    expect(rows).toMatch(
      new RegExp(`\r\n2,refused,${archivedNumber},,item_number: No longer sold since|"item_number: No`),
    );
    expect(rows).toMatch(new RegExp(`\r\n3,changed,${known},Kept saw,,,,,,10.00,12.50,`));
    const changed = await text(`/admin/imports/${done._id}/rows/export.csv?status=changed`);
    expect(changed.trimEnd().split("\r\n")).toHaveLength(2);
    expect(await text("/admin/imports/export.csv")).toMatch(
      /^started_at,finished_at,by,kind,file,.*\r\n\S+Z,\S+Z,[^,]+,file,erp\.csv,true,done,false,2,1,0,0,1,\r\n/,
    );
  });

  test("that is deleted while its rows are exported ends the file with an error", async () => {
    const numbers = Array.from({ length: 5001 }, (_, index) => `none ${index}`);
    const { _id: id } = await run(`item_number\n${numbers.join("\n")}\n`, true);
    const file = (await exportImportRows(shopOf(store), id, { bom: false })) as Readable;
    await once(file, "readable");
    await store.pool.query("DELETE FROM shop.product_import WHERE id = $1", [id]);
    await expect(file.toArray()).rejects.toThrow(importRefusals.importNotFound);
  });
});

describe("a file with other headings", () => {
  const sendWith = (content: string, columns: string) =>
    admin.send("importProducts", { body: { file: { name: "erp.csv", content }, columns } });

  test("is deleted after 30 days, also if there are so many that a statement has no time for all", async () => {
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push((await run("item_number\nnone\n", true))._id);
    await store.pool.query(
      `UPDATE shop.product_import SET created_at = now() - $2::interval, finished_at = now() - $2::interval
       WHERE id = ANY ($1)`,
      [ids.slice(1), "31 days"],
    );
    const slow = await store.pool.connect();
    try {
      await slow.query(`BEGIN;
        CREATE FUNCTION pg_temp.wait() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_sleep(0.4); RETURN OLD; END';
        CREATE TRIGGER wait BEFORE DELETE ON shop.product_import FOR EACH ROW EXECUTE FUNCTION pg_temp.wait();
        SET LOCAL statement_timeout = 1000`);
      await deleteOldImports({ pool: slow });
      const { rows } = await slow.query("SELECT id FROM shop.product_import WHERE id = ANY ($1)", [ids]);
      expect(rows).toEqual([{ id: ids[0] }]);
    } finally {
      slow.release(true);
    }
  });

  test("is kept while it is being undone, and for 30 days after it was applied", async () => {
    const item = newNumber();
    await addProduct(admin, { itemNumber: item, name: "Undone saw", price: 10 });
    const { _id: undone } = await run(`item_number,price\n${item},12\n`);
    const { _id: late } = await run(`item_number,price\n${item},13\n`);
    const { rows } = await store.pool.query<{ id: string }>(
      `INSERT INTO shop.product_import (user_id, file_name, bytes, sha256, dry_run, kind, undoes, state)
       SELECT user_id, 'Undo', 0, '', false, 'undo', id, 'running' FROM shop.product_import WHERE id = $1
       RETURNING id`,
      [undone],
    );
    await store.pool.query(
      "UPDATE shop.product_import SET created_at = now() - interval '31 days' WHERE id = ANY ($1)",
      [[undone, late]],
    );
    await store.pool.query(
      "UPDATE shop.product_import SET finished_at = now() - interval '31 days' WHERE id = $1",
      [undone],
    );
    const kept = async () => {
      await deleteOldImports(store);
      const ids = [undone, late, rows[0]?.id];
      const found = await store.pool.query("SELECT id FROM shop.product_import WHERE id = ANY ($1)", [ids]);
      return found.rows.length;
    };
    expect(await kept()).toBe(3);
    await store.pool.query(
      `UPDATE shop.product_import SET state = 'done', created_at = now() - interval '31 days',
         finished_at = now() - interval '31 days' WHERE id = $1`,
      [rows[0]?.id],
    );
    expect(await kept()).toBe(1);
  });

  test("is read by the given fields of its columns", async () => {
    const item = newNumber();
    await addProduct(admin, { itemNumber: item, name: "Mapped saw", price: 100, quantity: 50 });
    const content = `Artikel;Lager;price;VK\n${item};70;1;119,50\n`;
    const { body } = await sendWith(content, "item_number,quantity,,price");
    expect(await finished(body._id)).toMatchObject({ state: "done", changed: 1, ignored: ["price"] });
    expect(await find(item)).toMatchObject({ price: 119.5, quantity: 70, name: "Mapped saw" });
    const other = await sendWith(content, "item_number,,quantity,");
    expect(await finished(other.body._id)).toMatchObject({ changed: 1 });
    expect(await find(item)).toMatchObject({ price: 119.5, quantity: 1 });
  });

  test("is refused if the fields are not those of its columns", async () => {
    const refusal = "Give for each column of the file its field, or nothing, and item_number once.";
    for (const columns of ["price", "item_number,item_number", "item_number,cost", ""]) {
      const reply = await sendWith("a,b\n1,2\n", columns);
      expect([reply.status, reply.body.fields], columns).toEqual([422, { columns: refusal }]);
    }
    const { body } = await sendWith("a,b\n1,2\n", "item_number,,price");
    expect(await finished(body._id)).toMatchObject({
      state: "failed",
      problem: "Fields were given for 3 columns, but the file has 2.",
    });
  });
});

describe("a row is refused, with its reason:", () => {
  const base = (item: string, changes: Record<string, string>) => {
    const cells: Record<string, string> = {
      item_number: item,
      name: "Router",
      price: "10",
      minimum_order: "1",
      quantity: "1",
      description: "Routes.",
      picture: "/tools/x.svg",
      ...changes,
    };
    return [Object.keys(cells), Object.values(cells)]
      .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
      .join("\n");
  };

  test.each([
    [{ price: "1.490" }, "price: 1.490 can be read two ways. Write 1490 or 1.49."],
    [{ price: "$1,490" }, "price: $1,490 can be read two ways. Write 1490 or 1.49."],
    [{ price_breaks: "100=1,490 $" }, "price_breaks: 1,490 $ can be read two ways. Write 1490 or 1.49."],
    [{ price_breaks: "100=9 €" }, "price_breaks: 9 € is in another currency. Enter the price in US dollars."],
    [{ price: "" }, "price: A value is required."],
    [
      { price: "x", quantity: "1.5", minimum_order: "0", picture: "ftp://x", name: "", price_breaks: "5=x" },
      "name: A value is required. price: x is not a number. quantity: 1.5 is not a whole number. price_breaks: x is not a number. minimum_order: Enter 1 or more. picture: Enter a web address or a path on this site.",
    ],
    [{ price: "1.299" }, "price: 1.299 can be read two ways. Write 1299, if you mean that."],
    [{ quantity: "1.200" }, "quantity: 1.200 can be read two ways. Write 1200, if you mean that."],
    [{ quantity: "5.000" }, "quantity: 5.000 can be read two ways. Write 5000 or 5."],
    [{ price: "-5" }, "price: -5 is below zero."],
    [{ quantity: "-5" }, "quantity: -5 is below zero."],
    [
      { picture: "" },
      "picture: A tool needs one. Enter a web address, or a path on this site such as /tools/drill-driver.svg.",
    ],
    [{ price: "0" }, "price: Price must be at least $0.01."],
    [{ price: "1e3" }, "price: 1e3 is not a number."],
    [{ price: `${"x".repeat(39)}🔧 with case` }, `price: ${"x".repeat(39)}… is not a number.`],
    [{ price: "99999999999999.50" }, "price: Price must be at most $999,999.99."],
    [{ price_breaks: "100=99,999,999,999,999" }, "price_breaks: Price must be at most $999,999.99."],
    [{ price: "12.345,6789" }, "price: 12.345,6789 has more than two decimals."],
    [{ quantity: "12abc" }, "quantity: 12abc is not a number."],
    [{ quantity: "12 34" }, "quantity: 12 34 is not a number."],
    [{ price: "12 50" }, "price: 12 50 is not a number."],
    [{ price_breaks: "100 50=9" }, "price_breaks: 100 50 is not a number."],
    [{ quantity: "1.5" }, "quantity: 1.5 is not a whole number."],
    [{ quantity: "1000001" }, "quantity: Enter 1000000 or less."],
    [{ minimum_order: "0" }, "minimum_order: Enter 1 or more."],
    [{ minimum_order: "15", order_multiple: "4" }, /^minimum_order: .*multiple/],
    [{ price_breaks: "100" }, "price_breaks: 100 is not like 100=11.90; 500=10.40."],
    [{ price_breaks: "100=9;50=8" }, /^price_breaks: /],
    [{ price_breaks: "100=11" }, /^price_breaks: /],
    [{ picture: "javascript:alert(1)" }, "picture: Enter a web address or a path on this site."],
    [{ name: "N".repeat(201) }, "name: Use at most 200 characters."],
    [{ item_number: " " }, "item_number: A value is required."],
    [
      { name: "tab\there" },
      "name: The text contains a character that cannot be stored, such as a tab. Delete it, or type the text again.",
    ],
  ])("%j", async (changes, reason) => {
    const { _id, refused } = await run(base(newNumber(), changes), true);
    expect(refused).toBe(1);
    expect((await rowsOf(_id)).records[0]?.reason).toEqual(
      typeof reason === "string" ? reason : expect.stringMatching(reason),
    );
  });

  test("an incorrect number of cells, and an ambiguous item number", async () => {
    const number = newNumber();
    await addProduct(admin, { itemNumber: number });
    const { _id } = await run(
      `item_number,price\n${number},5\nshort\n${number},6\n\nlong,5,6\n${number},7\n`,
      true,
    );
    expect((await rowsOf(_id)).records.map(({ row, reason }) => [row, reason])).toEqual([
      [2, "item_number: Row 4 has the same."],
      [3, "The row has 1 cells, the heading 2."],
      [4, "item_number: Row 2 has the same."],
      [6, "The row has 3 cells, the heading 2."],
      [7, "item_number: Row 2 has the same."],
    ]);
  });

  test("an item number that a spreadsheet has escaped in one of its rows", async () => {
    const item = `-${newNumber()}`;
    await addProduct(admin, { itemNumber: item });
    const { _id } = await run(`item_number,price\n${item},5\n'${item},6\n`);
    expect((await rowsOf(_id)).records.map(({ reason }) => reason)).toEqual([
      "item_number: Row 3 has the same.",
      "item_number: Row 2 has the same.",
    ]);
  });

  test("a new tool whose item number is one on sale with other spaces, dashes or letter case", async () => {
    await addProduct(admin, { itemNumber: "QX 18-60" });
    const numbers = [
      "qx 18-60",
      "QX\u00A018\u201360",
      "QX18-60",
      "QX 18-60",
      "QX 18-6O",
      "QX 186-0",
      "QX 18 60",
    ];
    const twice = ["QY 7-1", "qy7-1"];
    const lines = [...numbers, ...twice].map((number) => `${number},Plane,5,A plane.,/tools/x.svg`);
    const { _id } = await run(["item_number,name,price,description,picture", ...lines].join("\n"), true);
    const refused =
      "item_number: A tool on sale has QX 18-60, with other spaces, dashes or letter case. Write it like that.";
    expect((await rowsOf(_id)).records.map(({ status, reason }) => reason ?? status)).toEqual([
      ...[refused, ...Array(2).fill("item_number: Row 2 has the same.")],
      ...["changed", "new", "new", "new"],
      ...["item_number: Row 10 has the same.", "item_number: Row 9 has the same."],
    ]);
  });

  test("a name that stands for an item number in two rows", async () => {
    const { _id: id } = await addProduct(admin, { name: "Nameless router", quantity: 50 });
    const { _id, changed } = await run(
      "item_number,name,quantity\n,Nameless router,60\n,Nameless router,70\n",
    );
    expect(changed).toBe(0);
    expect((await rowsOf(_id)).records.map(({ reason }) => reason)).toEqual([
      "name: Row 3 has the same, and no item number either.",
      "name: Row 2 has the same, and no item number either.",
    ]);
    expect((await admin.call("findProduct", { params: { id } })).quantity).toBe(50);
  });

  test("ten thousand repeated item numbers", async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `RE ${index},Plane,5,A plane.,/tools/x.svg`);
    const content = ["item_number,name,price,description,picture", ...rows, ...rows].join("\n");
    const { _id, state, refused } = await run(content, true);
    expect([state, refused]).toEqual(["done", 20_000]);
    expect((await rowsOf(_id)).records[0]?.reason).toBe("item_number: Row 10002 has the same.");
  });
});

describe("a file", () => {
  const latin = (content: string) => Uint8Array.from(content, (one) => one.charCodeAt(0));
  const utf16 = (content: string) => new Uint8Array(Buffer.from(`\uFEFF${content}`, "utf16le"));
  const named = async (content: (item: string) => Content, name: string) => {
    const item = newNumber();
    await addProduct(admin, { itemNumber: item, name: "Plain" });
    const { changed } = await run(content(item));
    expect([changed, (await find(item))?.name]).toEqual([1, name]);
  };

  test("in Windows-1252 is read", () =>
    named((item) => latin(`item_number;name\r\n${item};S\xE4ge f\xFCr \xD6l\r\n`), "Säge für Öl"));
  test("in UTF-16 with tabs, as Excel saves Unicode text, is read", () =>
    named((item) => utf16(`item_number\tname\r\n${item}\tПила 锯\r\n`), "Пила 锯"));
  test("with the delimiter in a row of its own, as Excel writes it, is read", () =>
    named((item) => `\uFEFFsep=;\r\nitem_number;name\r\n${item};Bits, 10 pcs\r\n`, "Bits, 10 pcs"));
  test("with a byte order mark is read", () =>
    named((item) => `\uFEFFitem_number,name\n${item},Säge\n`, "Säge"));
  test("with a quote inside a cell is read", () =>
    named((item) => `item_number,name\n${item},Chuck 1/2" steel\n`, 'Chuck 1/2" steel'));
  test("with a quote inside of a heading is read", () =>
    named((item) => `item_number;Length 10";name\n${item};2, or 3" more, or 4;Blade\n`, "Blade"));
  test("with headings in quotes is read", () =>
    named((item) => `"Size ""m"", ""l"", ""xl""";item_number;name\n1;${item};Bits\n`, "Bits"));
  test("with lines that end in several ways is read", () =>
    named((item) => `sep=,\r\nitem_number,name\nIM 0-0,None\r${item},Mixed\r\n`, "Mixed"));
  test("with empty rows, which spreadsheets write as empty cells, is read without them", async () => {
    const item = newNumber();
    await addProduct(admin, { itemNumber: item, name: "Plain" });
    const { _id, rows } = await run(`,,\nitem_number,name,price\n,,\n${item},Filled,5\n,,\n , ,\n,,`);
    expect(rows).toBe(1);
    expect((await rowsOf(_id)).records).toMatchObject([{ row: 4, status: "changed" }]);
    expect((await find("Filled"))?.itemNumber).toBe(item);
  });
  test("with 1,000 columns is read", () =>
    named((item) => {
      const more = Array.from({ length: 1000 }, (_, index) => `column ${index}`);
      return `item_number,${more.join(",")},name\n${item},${more.join(",")},Wide\n`;
    }, "Wide"));

  test.each<[string, () => Content, string]>([
    ["that is empty", () => "", "The file is empty. Choose another one."],
    [
      "without item numbers",
      () => "name,price\nSaw,5\n",
      "The heading has no column item_number. It has: nothing.",
    ],
    ["with a column twice", () => "item_number,price,Unit price\n", "The heading has two columns for price."],
    [
      "cut off inside quotes",
      () => `item_number,name\nA,Saw\nB,"Drill dri`,
      "The file ends inside the quotes that begin in row 3. It was cut off, or a quote is missing.",
    ],
    [
      "cut off inside a row",
      () => "item_number,name,price\nA,Saw,5\nB,Dri",
      "The file ends in row 3, after 2 of 3 cells. It was cut off.",
    ],
    [
      "cut off inside a character",
      () => new Uint8Array(Buffer.from("item_number,name\nA,Säge\nB,Bä").subarray(0, -1)),
      "The file ends in the middle of a character, at byte 29. It was cut off.",
    ],
    [
      "with a broken character",
      () => new Uint8Array(Buffer.concat([Buffer.from("item_number,name\nA,Säge\nB,"), Buffer.from([0xff])])),
      "Byte 28 is neither UTF-8 nor does the rest of the file fit another encoding. Save it as CSV in UTF-8.",
    ],
    [
      "with an emoji in the form that some databases write instead of UTF-8",
      () =>
        new Uint8Array(
          Buffer.concat([
            Buffer.from("item_number,name\nA,"),
            Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb4, 0xa7]),
          ]),
        ),
      "Byte 20 is neither UTF-8 nor does the rest of the file fit another encoding. Save it as CSV in UTF-8.",
    ],
    [
      "with a character beyond Unicode",
      () =>
        new Uint8Array(
          Buffer.concat([Buffer.from("item_number,name\nA,"), Buffer.from([0xf4, 0x90, 0x80, 0x80])]),
        ),
      "Byte 20 is neither UTF-8 nor does the rest of the file fit another encoding. Save it as CSV in UTF-8.",
    ],
    [
      "in UTF-16 with half an emoji",
      () => utf16("item_number\tname\nA\tSaw \uD83D!\n"),
      "The character at byte 49 is damaged: half of it is missing. Save the file as CSV in UTF-8.",
    ],
    [
      "in UTF-16, cut off inside a character",
      () => utf16("item_number\tname\nA\tSaw 🔧").subarray(0, -2),
      "The file ends in the middle of a character, at byte 49. It was cut off.",
    ],
    [
      "with a zero byte",
      () => "item_number\n\u0000",
      "Byte 13 is not text. Save the file as CSV and import it again.",
    ],
    [
      "with a zero byte after a letter of Windows-1252",
      () => latin("item_number\n\xE4\0"),
      "Byte 14 is not text. Save the file as CSV and import it again.",
    ],
    [
      "in UTF-16 with a null character",
      () => utf16("item_number\tname\nĀ\tSaw\0"),
      "Byte 47 is not text. Save the file as CSV and import it again.",
    ],
    [
      "that is a workbook",
      () => "PK\u0003\u0004",
      "This is an Excel workbook. Save it as CSV and import it again.",
    ],
  ])("%s fails with a reason, and nothing is changed", async (_, content, problem) => {
    const before = await exported();
    expect(await run(content())).toMatchObject({ state: "failed", problem, created: 0, changed: 0 });
    expect(await exported()).toBe(before);
  });

  test("without a file, or as JSON, is refused", async () => {
    const form = new FormData();
    form.append("dryRun", "true");
    const post = (body: BodyInit, headers = {}) =>
      admin.fetch("/admin/products/import", { method: "POST", body, headers });
    const missing = await post(form);
    expect([missing.status, await missing.json()]).toMatchObject([
      422,
      { fields: { file: "Choose a file." } },
    ]);
    const twice = new FormData();
    for (const value of ["true", "false"]) twice.append("dryRun", value);
    twice.append("file", new File(["item_number\n"], "a.csv"));
    expect(await (await post(twice)).json()).toMatchObject({
      status: 422,
      fields: { dryRun: expect.any(String) },
    });
    const other = new FormData();
    other.append("csv", new File(["item_number\n"], "a.csv"));
    expect(Object.keys((await (await post(other)).json()).fields)).toEqual(["file", "csv"]);
    const json = await post("{}", { "content-type": "application/json" });
    expect([json.status, await json.json()]).toMatchObject([
      415,
      { detail: "Send the file as a form (multipart/form-data)." },
    ]);
    const cut = await post('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc', {
      "content-type": "multipart/form-data; boundary=x",
    });
    expect(cut.status).toBe(400);
  });
});

describe("an export", () => {
  test("has the columns of an import, and imported again changes nothing", async () => {
    await addProduct(admin, { name: "Nameless" });
    const csv = await exported();
    expect(csv.split("\r\n")[0]).toBe(HEADING);
    expect(await run(csv)).toMatchObject({ created: 0, changed: 0 });
    expect(await exported()).toBe(csv);
  });

  test("of any texts changes nothing when imported again", async () => {
    const sign = fc.constantFrom(
      ...[
        '"',
        "'",
        ",",
        ";",
        "\t",
        "=",
        "+",
        "-",
        "@",
        "\uFF1D",
        "\u202E",
        "ע",
        "ع",
        "😀",
        "é",
        " ",
        "|",
        "a",
        "1",
      ],
    );
    const line = (max: number) =>
      fc
        .array(sign, { minLength: 1, maxLength: max })
        .map((signs) => signs.join("").replaceAll("\t", "").trim())
        .filter(Boolean);
    const prose = fc
      .array(fc.oneof(sign, fc.constantFrom("\n", "\r\n")), { minLength: 1, maxLength: 40 })
      .map((signs) => signs.join("").trim())
      .filter(Boolean);
    const product = fc.record({
      name: line(40),
      category: line(20),
      description: prose,
      price: fc.integer({ min: 1000, max: 9_999_999 }).map((cents) => cents / 100),
      quantity: fc.integer({ min: 0, max: 1_000_000 }),
      itemNumber: line(20),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(product, { minLength: 5, maxLength: 12 }), async (products) => {
        round += 1;
        for (const [index, one] of products.entries())
          await addProduct(admin, {
            ...one,
            itemNumber: `${one.itemNumber}${round}.${index}`,
            minimum_order: 1,
          });
        const csv = await exported();
        const result = await run(csv);
        expect([result.state, result.created, result.changed]).toEqual(["done", 0, 0]);
        const reasons = (
          await admin.call("listImportRows", { params: { id: result._id }, query: { status: "refused" } })
        ).records;
        expect(reasons.map(({ reason }) => reason)).toEqual(
          reasons.map(() => "item_number: A value is required."),
        );
        expect(await exported()).toBe(csv);
      }),
      { numRuns: 12 },
    );
  });
});

// the last, or each export would have its 1,500 tools
describe("an import of many rows", () => {
  test("that two processes run, one of which was taken for dead, is applied once and as a whole", async () => {
    const names = Array.from({ length: 1500 }, () => newNumber());
    const { rows } = await store.pool.query<{ id: string }>(
      `INSERT INTO shop.product_import (user_id, file_name, bytes, sha256, dry_run)
       SELECT id, 'erp.csv', 1, '', false FROM shop.user WHERE email = $1 RETURNING id`,
      [store.admin.email],
    );
    const importId = rows[0]?.id ?? "";
    const lines = names.map((name) => `${name},Import ${name},12.50,100,10,A tool.,/tools/saw.svg`);
    const content = ["item_number,name,price,quantity,minimum_order,description,picture", ...lines].join(
      "\n",
    );
    await store.pool.query("INSERT INTO shop.product_import_part VALUES ($1, 0, $2)", [
      importId,
      Buffer.from(content),
    ]);
    const start = () => runImport(shopOf(store), { importId }, new AbortController().signal);
    const presumedDead = start().catch((error: Error) => error.message);
    await vi.waitUntil(
      async () => {
        const found = await store.pool.query(
          "SELECT FROM shop.product_import_row WHERE import_id = $1 LIMIT 1",
          [importId],
        );
        return found.rowCount === 1;
      },
      { interval: 5 },
    );
    await start();
    await presumedDead;
    expect(await finished(importId)).toMatchObject({ state: "done", rows: 1500, created: 1500, refused: 0 });
    const added = await store.pool.query("SELECT FROM shop.product WHERE item_number = ANY ($1)", [names]);
    expect(added.rowCount).toBe(1500);
  });
});
