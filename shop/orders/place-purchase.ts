import type { Request } from "../../api/contract.ts";
import type { PurchaseRow } from "../../database/schema.ts";
import { formatMoney, fromCents, toCents } from "../money.ts";
import { unitPriceCents } from "../pricing/rules.ts";
import { findProductsByName } from "../products/queries.ts";
import { isRefusal, type Refusal, type Result, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { toPurchase } from "./entity.ts";
import { explainLine, insertOrder, type Line, type LineProblemRow } from "./place.ts";

type PurchaseForm = Request<"placePurchase">["body"];

/** An order of one line. Refuses a price or total that is not the current one, with both values. */
export async function placePurchase(store: Store, buyer: User, form: PurchaseForm): Result<"placePurchase"> {
  if (form.email !== undefined && form.email !== buyer.email)
    return refuse("forbidden", orderRefusals.emailNotYours);
  const product = form.productId ?? (await findProductId(store, form));
  if (isRefusal(product)) return product;
  const line = {
    index: 0,
    product,
    quantity: form.purchaseQuantity,
    price_cents: shownCents(form.price),
    total_cents: shownCents(form.total),
  };
  const { address, phone } = form;
  const placed = await insertOrder(store, buyer, { address, phone, exact: true, lines: [line] });
  if (isRefusal(placed)) return placed;
  if ("problems" in placed) return explainProblem(form, line, placed.problems[0] as LineProblemRow);
  return toPurchase(placed.purchases[0] as PurchaseRow, store.unpaidHoldHours);
}

/** The amount that the buyer was shown, if given; an invalid one becomes a number that no price equals. */
function shownCents(dollars: number | undefined): number | null {
  return dollars === undefined ? null : (toCents(dollars) ?? -1);
}

/** Products with the same name are distinguished by price and total. */
async function findProductId(store: Store, form: PurchaseForm): Promise<string | Refusal> {
  if (!form.productName) return refuseField("productName", orderRefusals.productUnknown);
  const found = await findProductsByName(store, form.productName);
  const matching = found.filter(
    (row) =>
      found.length === 1 ||
      ((form.picture === undefined || row.picture === form.picture) &&
        (form.price === undefined || unitPriceCents(row, form.purchaseQuantity) === toCents(form.price))),
  );
  if (matching.length > 1) return refuseField("productName", orderRefusals.productAmbiguous);
  return matching[0]?.id ?? refuseField("productName", orderRefusals.productUnknown);
}

/** The refusal for a line that does not match the current product. */
function explainProblem(form: PurchaseForm, line: Line, problem: LineProblemRow): Refusal {
  const { problem: reason, current_price_cents: price } = problem;
  if (reason === "unknown" || reason === "archived")
    return refuseField(form.productId ? "productId" : "productName", refusals.productGone);
  if (reason !== "price_changed" && reason !== "total_changed")
    return refuseField("purchaseQuantity", explainLine(problem, line).detail);
  const total = price * form.purchaseQuantity;
  return refuse(
    "conflict",
    reason === "price_changed"
      ? refusals.priceChanged(formatSent(form.price as number), formatMoney(price))
      : orderRefusals.totalChanged(formatSent(form.total as number), formatMoney(total)),
    { current: { price: fromCents(price), total: fromCents(total) } },
  );
}

function formatSent(dollars: number): string {
  const cents = toCents(dollars);
  return cents === null ? `$${dollars}` : formatMoney(cents);
}
