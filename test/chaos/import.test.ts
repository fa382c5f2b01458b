/** An import whose process and database are killed during the comparison and while it is applied. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { addProduct } from "../harness/orders.ts";
import type { TestStore } from "../harness/store.ts";
import { adminOf, type SignedIn } from "../harness/users.ts";
import { createStoreProcess, type StoreProcess } from "./store-process.ts";

const ROWS = 8000;

let victim: StoreProcess;
let admin: SignedIn;
beforeAll(async () => {
  victim = await createStoreProcess(1);
  await victim.start();
  admin = await adminOf(victim as unknown as TestStore);
});
afterAll(() => victim.remove(), 60_000);

test("an import resumes after a kill and applies each row once", async () => {
  const raised = await addProduct(admin, { name: "Raised", itemNumber: "KILL-0", quantity: 100, price: 10 });
  const rows = Array.from(
    { length: ROWS },
    (_, at) => `KILL-${at},Tool ${at},${10 + (at % 90)},500,A.,/tools/x.svg`,
  );
  const content = ["item_number,name,price,quantity,description,picture", ...rows].join("\n");
  const send = () => admin.send("importProducts", { body: { file: { name: "erp.csv", content } } });
  const [first, second] = await Promise.all([send(), send()]);
  expect(second.body, "the second press").toEqual(first.body);
  const id: string = first.body._id;

  for (const progress of [0.1, 0.6]) {
    await expect
      .poll(() => progressOf(id), { timeout: 60_000, interval: 10 })
      .toBeGreaterThanOrEqual(progress);
    await victim.kill();
    await victim.start();
  }
  await expect
    .poll(async () => (await admin.call("findImport", { params: { id } })).state, { timeout: 120_000 })
    .toBe("done");
  expect(await admin.call("findImport", { params: { id } })).toMatchObject({
    rows: ROWS,
    created: ROWS - 1,
    changed: 1,
    refused: 0,
  });
  const [counted] = await victim.query<{ products: number; moved: number; stock: number }>(
    `SELECT (SELECT count(*)::integer FROM shop.product WHERE item_number LIKE 'KILL-%') AS products,
       (SELECT sum(pieces)::integer FROM shop.stock_movement) AS moved,
       (SELECT sum(quantity)::integer FROM shop.product) AS stock`,
  );
  expect(counted).toEqual({ products: ROWS, moved: ROWS * 500, stock: ROWS * 500 });
  expect(await admin.call("findProduct", { params: { id: raised._id } })).toMatchObject({ quantity: 500 });
  expect((await admin.call("reconcile", {})).faults).toEqual([]);
}, 300_000);

async function progressOf(id: string): Promise<number> {
  const [row] = await victim.query<{ progress: number }>(
    "SELECT progress FROM shop.product_import WHERE id = $1",
    [id],
  );
  return row?.progress ?? 0;
}
