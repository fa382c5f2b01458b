import { expect, test } from "vitest";
import { type Charge, checkHistory, type Placement, type RecordedPurchase } from "../fleet/check-history.ts";

const history: Placement[] = [
  { key: "a", begun: 0, ended: 2, outcome: "placed", purchaseId: "1", paid: true },
  { key: "b", begun: 1, ended: 5, outcome: "unknown" },
  { key: "c", begun: 6, ended: 7, outcome: "soldOut" },
];
const recorded: RecordedPurchase[] = [
  { id: "1", key: "a", paid: true, cents: 1250, transactionId: "pi_1" },
  { id: "2", key: "b", paid: false, cents: 1250, transactionId: null },
];
const another = { id: "3", paid: false, cents: 1250, transactionId: null };
const charges: Charge[] = [
  { transactionId: "pi_1", cents: 1250, refundedCents: 0 },
  { transactionId: "pi_2", cents: 1250, refundedCents: 1250 },
];
const change = <Entry>(entries: Entry[], index: number, changes: Partial<Entry>) =>
  entries.map((one, at) => (at === index ? { ...one, ...changes } : one));

test("a history that some order explains is accepted", () => {
  expect(checkHistory(history, { lots: 2, recorded, charges })).toEqual([]);
});

test.each([
  ["a lost purchase", history, recorded.slice(1), /a was acknowledged and is lost/],
  [
    "another purchase under its key",
    change(history, 0, { purchaseId: "9" }),
    recorded,
    /a was acknowledged and is lost/,
  ],
  ["a purchase twice", history, [...recorded, { ...another, key: "b" }], /b was placed 2 times/],
  ["a purchase of nobody", history, [...recorded, { ...another, key: "z" }], /z was placed by nobody/],
  ["more sold than there was", history, [...recorded, { ...another, key: "c" }], /3 of 2 lots/],
  ["a refused purchase that is there", history, [...recorded, { ...another, key: "c" }], /c was refused/],
  ["a lost payment", history, recorded.map((one) => ({ ...one, paid: false })), /a was paid/],
  [
    "a refusal before the last lot was sold",
    change(history, 2, { begun: 0, ended: 0.5 }),
    recorded,
    /c was refused with 1/,
  ],
])("%s is found", (_, given, kept, problem) => {
  expect(checkHistory(given, { lots: 2, recorded: kept, charges }).join("; ")).toMatch(problem);
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
  expect(checkHistory(history, { lots: 2, recorded, charges: made }).join("; ")).toMatch(problem);
});
