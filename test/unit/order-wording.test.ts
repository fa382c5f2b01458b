import { expect, test } from "vitest";
import type { Purchase } from "../../api/entities.ts";
import { orderRefunded } from "../../app/pages/admin/orders/refund-outcome.ts";
import { statusOfOrder } from "../../app/pages/orders/fulfillment-status.ts";
import { formatPieces, poLabel, waitingForPayment } from "../../app/pages/orders/order-wording.ts";
import { orderProblem, totalCents } from "../../app/pages/storefront/product/order-total.ts";

test.each([
  [80, "Angle grinder", "80 angle grinders"],
  [1, "Jigsaw", "1 jigsaw"],
  [1240, "Drill driver", "1,240 drill drivers"],
  [2, "Torch", "2 torches"],
  [2, "Battery", "2 batteries"],
  [12, "SDS set 12", "12 × SDS set 12"],
  [2, "Battery pack and charger", "2 × Battery pack and charger"],
  [3, "Bosch Professional", "3 × Bosch Professional"],
])("%i of %s are %s", (quantity, name, words) => {
  expect(formatPieces(quantity, name)).toBe(words);
});

test("a PO number is labelled once", () => {
  expect(["4711", "PO 4711", "po-4711", "POLO 1"].map(poLabel)).toEqual([
    "PO 4711",
    "PO 4711",
    "po-4711",
    "PO POLO 1",
  ]);
});

test("unpaid orders are described", () => {
  expect(waitingForPayment(0, "$0.00")).toBe("No order is waiting for payment.");
  expect(waitingForPayment(1, "$2,140.00")).toBe("One order is waiting for payment: $2,140.00.");
  expect(waitingForPayment(2, "$8,260.00")).toBe("Two orders are waiting for payment: $8,260.00.");
  expect(waitingForPayment(1200, "$9.00")).toBe("1,200 orders are waiting for payment: $9.00.");
});

const product = { price: 129.5, minimum_order: 12, quantity: 720 };

test("a total is whole cents, and null while the quantity is not a whole number", () => {
  expect(totalCents(12, 129.5)).toBe(155_400);
  expect(totalCents(12.5, 129.5)).toBeNull();
  expect(totalCents(null, 129.5)).toBeNull();
});

test.each([
  [12, null],
  [720, null],
  [null, "You have to purchase at least 12 products"],
  [11, "You have to purchase at least 12 products"],
  [721, "Purchase qauntity is maximum 720"],
  [12.5, "Enter a whole number."],
])("%j pieces: %j", (quantity, problem) => {
  expect(orderProblem(quantity, product)).toBe(problem);
});

test("a total above the limit of a card payment is refused before it is sent", () => {
  expect(orderProblem(500, { price: 9999.99, minimum_order: 1, quantity: 500 })).toMatch(
    /at most \$999,999\.99/,
  );
});

const shipped = { status: "shipped", total: 10 } as Purchase;
const refunded = { status: "paid", total: 10, refunded: 10 } as Purchase;
const paid = { status: "paid", total: 10 } as Purchase;

test.each([
  [[shipped, refunded], 2, "shipped"],
  [[refunded, refunded], 2, "refunded"],
  [[shipped, refunded, paid], 3, "partly_shipped"],
  // the list has the first lines only
  [[shipped, refunded], 3, "partly_shipped"],
])("an order whose other lines were refunded is shipped: %#", (lines, lineCount, status) => {
  expect(statusOfOrder({ status: "partly_shipped", lines, lineCount })).toBe(status);
});

test.each([
  [0, "$250.00 of order 10001 refunded"],
  [1, "Refund of $250.00 of order 10001 pending for 1 line; sent when the payment provider responds"],
])("the refund of an order with %i pending lines", (pending, text) => {
  expect(orderRefunded(250, 10_001, pending)).toBe(text);
});
