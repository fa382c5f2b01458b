import { expect, test } from "vitest";
import { checkHistory, type Placement, type RecordedPurchase } from "../fleet/check-history.ts";

const history: Placement[] = [
  { key: "a", begun: 0, ended: 2, outcome: "placed", purchaseId: "1", paid: true },
  { key: "b", begun: 1, ended: 5, outcome: "unknown" },
  { key: "c", begun: 6, ended: 7, outcome: "soldOut" },
];
const recorded: RecordedPurchase[] = [
  { id: "1", key: "a", paid: true },
  { id: "2", key: "b", paid: false },
];
const change = (index: number, changes: Partial<Placement>) =>
  history.map((one, at) => (at === index ? { ...one, ...changes } : one));

test("a history that some order explains is accepted", () => {
  expect(checkHistory(history, { lots: 2, recorded })).toEqual([]);
});

test.each([
  ["a lost purchase", history, recorded.slice(1), /a was acknowledged and is lost/],
  [
    "another purchase under its key",
    change(0, { purchaseId: "9" }),
    recorded,
    /a was acknowledged and is lost/,
  ],
  ["a purchase twice", history, [...recorded, { id: "3", key: "b", paid: false }], /b was placed 2 times/],
  [
    "a purchase of nobody",
    history,
    [...recorded, { id: "3", key: "z", paid: false }],
    /z was placed by nobody/,
  ],
  ["more sold than there was", history, [...recorded, { id: "3", key: "c", paid: false }], /3 of 2 lots/],
  [
    "a refused purchase that is there",
    history,
    [...recorded, { id: "3", key: "c", paid: false }],
    /c was refused/,
  ],
  ["a lost payment", history, [{ id: "1", key: "a", paid: false }, ...recorded.slice(1)], /a was paid/],
  [
    "a refusal before the last lot was sold",
    change(2, { begun: 0, ended: 0.5 }),
    recorded,
    /c was refused with 1/,
  ],
])("%s is found", (_, given, kept, problem) => {
  expect(checkHistory(given, { lots: 2, recorded: kept }).join("; ")).toMatch(problem);
});
