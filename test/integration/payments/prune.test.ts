import { pruneSandbox } from "@stator/stripe-sandbox/prune";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardForm, openIntent, openWorld, payByPage, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function count(table: string) {
  const { rows } = await world.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM sandbox.${table}`,
  );
  return rows[0]?.n;
}

test("what is old and done is thrown away, and no payment is", async () => {
  const paid = await openIntent(world);
  await payByPage(world, paid, "4242424242424242");
  await world.payments.cancelIntent((await openIntent(world)).id);
  await world.post("/payment_methods", cardForm("4242424242424242"));
  await world.deliver();

  await pruneSandbox(world.pool);
  expect([await count("idempotency"), await count("event"), await count("payment_method")]).toEqual([
    3, 2, 2,
  ]);

  await world.pool.query("UPDATE sandbox.idempotency SET created_at = now() - interval '25 hours'");
  await world.pool.query("UPDATE sandbox.event SET delivered_at = now() - interval '31 days'");
  await world.pool.query("UPDATE sandbox.payment_method SET created_at = now() - interval '2 days'");
  await pruneSandbox(world.pool);
  expect([await count("idempotency"), await count("event"), await count("payment_method")]).toEqual([
    0, 0, 1,
  ]);
  expect([await count("payment_intent"), await count("charge")]).toEqual([2, 1]);
  expect(await world.payments.findIntent(paid.id)).toMatchObject({ status: "succeeded" });
});
