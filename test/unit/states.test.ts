/** The state tables of purchases and payments. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cancelProblem, refundProblem, shipProblem } from "../../shop/orders/rules.ts";
import {
  afterStep,
  paymentStates,
  paymentStatesBefore,
  purchaseStates,
  refundStates,
  refundStatesBefore,
} from "../../shop/orders/states.ts";

test("an order goes from unpaid to paid to shipped, and never back (specification, section 4)", () => {
  expect(afterStep("unpaid", "pay")).toBe("paid");
  expect(afterStep("paid", "ship")).toBe("shipped");
  for (const step of ["pay", "cancel", "expire"] as const) {
    expect([step, afterStep("paid", step), afterStep("shipped", step)]).toEqual([step, null, null]);
  }
  expect(afterStep("unpaid", "ship")).toBeNull();
  // only while a shipment can be undone
  expect(afterStep("shipped", "undoShipment")).toBe("paid");
  expect(purchaseStates.cancelled).toEqual({});
});

test("a succeeded payment is final; a refunded one can only have its refund fail", () => {
  expect(paymentStates.succeeded).toEqual({});
  expect(paymentStates.refunded).toEqual({ failRefund: "refund_due" });
  expect(paymentStatesBefore("pay")).toEqual(["open", "cancelled"]);
  expect(paymentStatesBefore("refund")).toEqual(["refund_due"]);
});

test("a failed refund is retried or recorded as paid another way", () => {
  expect(refundStates.done).toEqual({ fail: "failed" });
  expect(refundStatesBefore("retry")).toEqual(["failed"]);
  expect(refundStatesBefore("recordManually")).toEqual(["failed"]);
  expect([refundStates.refused, refundStates.settled]).toEqual([{}, {}]);
});

const paid = (total: number, refunded: number) => ({
  status: "paid" as const,
  total_cents: total,
  refunded_cents: refunded,
  returned_at: null,
  restock_at: null,
});

test("a refund is allowed up to what is left, and a full one ends shipping", () => {
  const cents = fc.integer({ min: 1, max: 99_999_999 });
  fc.assert(
    fc.property(cents, fc.nat(), fc.integer({ min: 1, max: 100_000_000 }), (total, given, asked) => {
      const refunded = given % (total + 1);
      const row = paid(total, refunded);
      expect(refundProblem(row, asked, false) === null).toBe(asked <= total - refunded);
      expect(shipProblem(row) === null).toBe(refunded < total);
      expect(cancelProblem(row.status)).not.toBeNull();
    }),
  );
});
