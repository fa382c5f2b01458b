import { expect, test } from "vitest";
import { type Attempt, type Charge, checkHistory, type RecordedLine } from "../fleet/check-history.ts";
import { isLinearizable, type Step } from "../fleet/linearize.ts";

/** Two products of five pieces each, and what is left of them. */
const PIECES = 5;
const stock = { saw: 0, drill: 3 };

const history: Attempt[] = [
  {
    key: "a",
    startedAt: 0,
    endedAt: 2,
    outcome: "placed",
    orderId: "1",
    paid: true,
    lines: [{ productId: "saw", pieces: 3 }],
  },
  {
    key: "b",
    startedAt: 1,
    endedAt: 5,
    outcome: "unknown",
    lines: [
      { productId: "saw", pieces: 2 },
      { productId: "drill", pieces: 2 },
    ],
  },
  {
    key: "c",
    startedAt: 6,
    endedAt: 7,
    outcome: "refused",
    shortages: { saw: 0 },
    lines: [
      { productId: "saw", pieces: 1 },
      { productId: "drill", pieces: 3 },
    ],
  },
  {
    key: "d",
    startedAt: 3,
    endedAt: 4,
    outcome: "placed",
    orderId: "4",
    cancellation: { startedAt: 4.5, endedAt: 5.5, outcome: "cancelled" },
    lines: [{ productId: "drill", pieces: 1 }],
  },
];
const line = { cents: 1250, paid: false, cancelled: false, transactionId: null };
const recorded: RecordedLine[] = [
  { ...line, orderId: "1", key: "a", productId: "saw", pieces: 3, paid: true, transactionId: "pi_1" },
  { ...line, orderId: "2", key: "b", productId: "saw", pieces: 2 },
  { ...line, orderId: "2", key: "b", productId: "drill", pieces: 2 },
  { ...line, orderId: "4", key: "d", productId: "drill", pieces: 1, cancelled: true },
];
const charges: Charge[] = [
  { transactionId: "pi_1", cents: 1250, refundedCents: 0 },
  { transactionId: "pi_2", cents: 1250, refundedCents: 1250 },
];
const change = <Entry>(entries: Entry[], index: number, changes: Partial<Entry>) =>
  entries.map((one, at) => (at === index ? { ...one, ...changes } : one));

test("a history that some order explains is accepted", () => {
  expect(checkHistory(history, PIECES, { recorded, charges, stock })).toEqual([]);
});

test.each([
  ["a lost order", history, recorded.slice(1), /a was acknowledged and is lost/],
  [
    "another order under its key",
    change(history, 0, { orderId: "9" }),
    recorded,
    /a was acknowledged and is lost/,
  ],
  [
    "an order twice",
    history,
    [...recorded, { ...line, orderId: "3", key: "b", productId: "saw", pieces: 2 }],
    /b was placed 2 times/,
  ],
  [
    "an order of nobody",
    history,
    [...recorded, { ...line, orderId: "3", key: "z", productId: "saw", pieces: 1 }],
    /z was placed by nobody/,
  ],
  ["an order without one of its lines", history, recorded.toSpliced(2, 1), /b is placed with other lines/],
  ["a line with more pieces", history, change(recorded, 1, { pieces: 1 }), /b is placed with other lines/],
  [
    "a refused order that is there",
    history,
    [...recorded, { ...line, orderId: "3", key: "c", productId: "saw", pieces: 1 }],
    /c was refused/,
  ],
  ["a lost payment", history, change(recorded, 0, { paid: false }), /a was paid/],
  ["a lost cancellation", history, change(recorded, 3, { cancelled: false }), /d was cancelled and is not/],
  ["a cancellation of nobody", history, change(recorded, 1, { cancelled: true }), /b is cancelled by nobody/],
  ["a paid order that is cancelled", history, change(recorded, 3, { paid: true }), /d is paid and cancelled/],
  [
    "a refusal before the last piece was sold",
    change(history, 2, { startedAt: 0, endedAt: 0.5 }),
    recorded,
    /explains the stock of saw/,
  ],
  [
    "a refusal for a stock that never was",
    change(history, 2, { shortages: { saw: 1 } }),
    recorded,
    /explains the stock of saw/,
  ],
  [
    "a refusal that saw too many of another",
    change(history, 2, { shortages: { saw: 0, drill: 2 } }),
    recorded,
    /explains the stock of drill/,
  ],
])("%s is found", (_, given, kept, problem) => {
  expect(checkHistory(given, PIECES, { recorded: kept, charges, stock }).join("; ")).toMatch(problem);
});

test("pieces that are neither sold nor in stock are found", () => {
  const found = checkHistory(history, PIECES, { recorded, charges, stock: { saw: 0, drill: 2 } });
  expect(found).toEqual(["no order of its 4 steps explains the stock of drill, 2"]);
});

test.each([
  [
    "a charge without an order",
    [...charges, { transactionId: "pi_3", cents: 1250, refundedCents: 0 }],
    /pi_3 was charged 1250 cents without an order or a refund/,
  ],
  [
    "a charge that was refunded in part",
    change(charges, 1, { refundedCents: 1000 }),
    /pi_2 was charged 250 cents without/,
  ],
  [
    "a charge above the order's total",
    change(charges, 0, { cents: 2500 }),
    /pi_1 was charged 1250 cents without/,
  ],
  [
    "a refund of a paid order",
    change(charges, 0, { refundedCents: 1250 }),
    /pi_1 was charged 1250 cents too little/,
  ],
  ["a payment without a charge", charges.slice(1), /a is paid and nobody was charged/],
])("%s is found", (_, made, problem) => {
  expect(checkHistory(history, PIECES, { recorded, charges: made, stock }).join("; ")).toMatch(problem);
});

const any = { least: 0, most: Number.POSITIVE_INFINITY };
const take = (startedAt: number, endedAt: number, pieces = 1): Step => ({
  ...any,
  startedAt,
  endedAt,
  pieces: -pieces,
  least: pieces,
});
const put = (startedAt: number, endedAt: number, pieces = 1): Step => ({
  ...any,
  startedAt,
  endedAt,
  pieces,
});
const see = (startedAt: number, endedAt: number, pieces: number): Step => ({
  startedAt,
  endedAt,
  pieces: 0,
  least: pieces,
  most: pieces,
});

test.each([
  ["a stock seen while it was sold", [take(0, 9), see(1, 2, 1), see(3, 4, 0)], 0, true],
  ["a stock seen after it was sold", [take(0, 1), see(2, 3, 1)], 0, false],
  ["two who saw the sale in opposite order", [take(0, 9), see(1, 2, 0), see(3, 4, 1)], 0, false],
  ["a piece sold again after it was returned", [take(0, 1), put(2, 5), take(3, 4)], 0, true],
  ["a piece sold again before it was returned", [take(0, 1), take(2, 3), put(4, 5)], 0, false],
  [
    "a sale of unknown outcome that a later one saw",
    [take(0, Number.POSITIVE_INFINITY), see(5, 6, 1), see(8, 9, 0)],
    0,
    true,
  ],
  ["the last piece sold twice", [take(0, 2), take(1, 3)], -1, false],
])("%s", (_, steps, last, explained) => {
  expect(isLinearizable(1, steps, last)).toBe(explained);
});
