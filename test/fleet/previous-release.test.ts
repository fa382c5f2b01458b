/** Nodes of the previous release keep selling on the new schema, next to new nodes. */
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../harness/database.ts";
import { logIn, register, type SignedIn } from "../harness/people.ts";
import type { TestStore } from "../harness/store.ts";
import { change, offer, payFor, placeFor } from "../harness/trade.ts";
import { NO_FAULTS, runDoctor } from "./doctor.ts";
import { addressOf, admin, type FleetNode, startNode } from "./node.ts";
import { buildPreviousRelease, hasPreviousRelease } from "./previous-release.ts";

const isThere = await hasPreviousRelease();
if (!isThere) console.warn("Not tested with the previous release: this clone is shallow.");

describe.skipIf(!isThere)("the previous release on this schema", () => {
  let database: FreshDatabase;
  let folder: string;
  let current: FleetNode;
  let previous: FleetNode;
  beforeAll(async () => {
    folder = await buildPreviousRelease();
    database = await freshDatabase({ migrated: false });
    current = await startNode(database.connection);
    previous = await startNode(database.connection, {}, folder);
  }, 240_000);
  afterAll(async () => {
    await previous?.remove();
    await current?.remove();
    await database?.drop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  test("sells, is paid and edits, next to a node of this one", { timeout: 120_000 }, async () => {
    const nodes = [previous, current].map((node) => node as unknown as TestStore);
    for (const [index, node] of nodes.entries()) {
      const owner = await logIn(node, admin);
      const product = await offer(owner);
      const buyer = await register(node, "Ada Buyer");
      const purchase = await placeFor(buyer, product);
      await payFor(node, buyer, purchase);
      const seen = await owner.call("findProduct", { params: { id: product._id } });
      expect(seen.quantity).toBe(product.quantity - purchase.purchaseQuantity);
      await change(owner, seen, { price: 99.5 });
      const other = nodes[1 - index] as TestStore;
      const elsewhere: SignedIn = await logIn(other, buyer);
      const [paid] = await elsewhere.call("listPurchasesOf", { params: { email: buyer.email } });
      expect(paid).toMatchObject({ _id: purchase._id, status: "paid" });
      const edited = await elsewhere.call("findProduct", { params: { id: product._id } });
      expect(edited.price).toBe(99.5);
      await change(await logIn(other, admin), edited, { price: 98.5 });
    }
    for (const path of ["/", "/tools", "/products"])
      expect((await fetch(previous.url + path)).status, path).toBe(200);
  });

  test("leaves nothing for the doctor to find", { timeout: 60_000 }, async () => {
    const doctor = await runDoctor({ DATABASE_URL: addressOf(database.connection) });
    expect(doctor).toEqual([0, expect.stringMatching(NO_FAULTS)]);
  });
});
