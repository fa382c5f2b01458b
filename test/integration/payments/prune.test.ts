import { pruneSandbox } from "@stator/stripe-sandbox/prune";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardForm, type Fixture, openFixture, openIntent, payByPage } from "./fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

async function count(table: string) {
  const { rows } = await fixture.pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM sandbox.${table}`,
  );
  return rows[0]?.n;
}

test("old data is deleted, but no payment", async () => {
  const paid = await openIntent(fixture);
  await payByPage(fixture, paid);
  await fixture.payments.cancelIntent((await openIntent(fixture)).id);
  await fixture.post("/payment_methods", cardForm());
  await fixture.deliver();

  await pruneSandbox(fixture.pool);
  expect([await count("idempotency"), await count("event"), await count("payment_method")]).toEqual([
    3, 2, 2,
  ]);

  await fixture.pool.query("UPDATE sandbox.idempotency SET created_at = now() - interval '25 hours'");
  await fixture.pool.query("UPDATE sandbox.event SET delivered_at = now() - interval '31 days'");
  await fixture.pool.query("UPDATE sandbox.payment_method SET created_at = now() - interval '2 days'");
  await pruneSandbox(fixture.pool);
  expect([await count("idempotency"), await count("event"), await count("payment_method")]).toEqual([
    0, 0, 1,
  ]);
  expect([await count("payment_intent"), await count("charge")]).toEqual([2, 1]);
  expect(await fixture.payments.findIntent(paid.id)).toMatchObject({ status: "succeeded" });
});
