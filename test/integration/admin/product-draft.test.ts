import { describe, expect, test } from "vitest";
import type { Product } from "../../../api/entities.ts";
import {
  blankDraft,
  checkDraft,
  draftOf,
  mergeDrafts,
} from "../../../app/pages/admin/products/product-draft.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { messages } from "../../../shop/texts/specification.ts";
import { completeForm } from "../../harness/complete-form.ts";

const product: Product = {
  _id: "01a1f92e-3fed-71fe-b18d-365b90c4f4f2",
  name: "Drill driver",
  picture: "/tools/drill-driver.svg",
  price: 128.5,
  quantity: 1240,
  minimum_order: 20,
  description: "Two speeds.",
  itemNumber: "DD 18-60",
  technicalData: [{ name: "Chuck", value: "13 mm" }],
  drawnBox: [10, 20, 300.5, 400],
  dimensions: { width: 252, height: 198 },
  version: 3,
};

/** The first message of each field, which is shown. */
function problemsOf(draft: typeof blankDraft): Record<string, string> {
  const checked = checkDraft(draft);
  const problems = Array.isArray(checked) ? checked : [];
  return Object.fromEntries(problems.toReversed().map(({ name, message }) => [name, message]));
}

describe("a product while it is edited", () => {
  test("an empty form shows the specification's messages", () => {
    expect(problemsOf(blankDraft)).toEqual({
      name: messages.product.nameRequired,
      price: messages.product.priceRequired,
      quantity: messages.product.quantityRequired,
      minimum_order: messages.product.minimumOrderRequired,
      description: messages.product.descriptionRequired,
      picture: messages.product.pictureRequired,
    });
  });

  test("all values are sent back unchanged", () => {
    const form = { ...completeForm, reorderPoint: 15 };
    expect(checkDraft(draftOf({ ...product, ...form }))).toMatchObject(form);
  });

  test("a stock above a million is sent back unchanged, and may not grow", () => {
    const same = draftOf({ ...product, quantity: 1_900_000 });
    expect(checkDraft(same, 1_900_000)).toMatchObject({ quantity: 1_900_000 });
    const more = draftOf({ ...product, quantity: 1_900_001 });
    expect(checkDraft(more, 1_900_000)).toEqual([{ name: "quantity", message: "Enter 1900000 or less." }]);
  });

  test("a value that is not a number is reported as such, and not as missing", () => {
    const draft = { ...draftOf(product), price: "cheap", quantity: "1.5" };
    expect(problemsOf(draft).price).toBe(refusals.plainNumber);
    expect(problemsOf({ ...draft, price: "1" }).quantity).toBe("Enter a whole number.");
  });

  test("a value that is not a number hides no missing field", () => {
    expect(problemsOf({ ...blankDraft, quantity: "abc" })).toEqual({
      name: messages.product.nameRequired,
      price: messages.product.priceRequired,
      quantity: refusals.plainNumber,
      minimum_order: messages.product.minimumOrderRequired,
      description: messages.product.descriptionRequired,
      picture: messages.product.pictureRequired,
    });
  });

  test("a minimum order above the limit of a card payment is reported at the minimum order, whatever else is missing", () => {
    const draft = { ...draftOf(product), name: "", price: "$60,000", minimum_order: "17" };
    expect(problemsOf(draft)).toEqual({
      name: messages.product.nameRequired,
      minimum_order:
        "The smallest order would cost $1,020,000.00. A card payment can be at most $999,999.99: enter 16 or less.",
    });
    expect(problemsOf({ ...draft, price: "0.02", minimum_order: "24" }).minimum_order).toBe(
      "The smallest order would cost $0.48. A card payment must be at least $0.50: enter 25 or more.",
    );
  });

  test("an incomplete dimension is refused", () => {
    const draft = { ...draftOf(product), drawnBox: ["1", "", "3", "4"] as typeof blankDraft.drawnBox };
    expect(Object.keys(problemsOf(draft))).toEqual(["drawnBox.1"]);
  });
});

describe("two admins editing one product", () => {
  const before = draftOf(product);

  test("each field keeps the change of the one who made it, mine if both did", () => {
    const mine = { ...before, name: "Mine", description: "Mine too." };
    const theirs = { ...before, name: "Theirs", price: "99.00", technicalData: [] };
    expect(mergeDrafts(before, mine, theirs)).toEqual({
      ...before,
      name: "Mine",
      description: "Mine too.",
      price: "99.00",
      technicalData: [],
    });
  });

  test("a change of the stock stays the same number of pieces, and never makes it negative", () => {
    const theirs = { ...before, quantity: "1000" };
    expect(mergeDrafts(before, { ...before, quantity: "1250" }, theirs).quantity).toBe("1010");
    expect(mergeDrafts(before, { ...before, quantity: "0" }, theirs).quantity).toBe("0");
    expect(mergeDrafts(before, before, theirs).quantity).toBe("1000");
  });
});
