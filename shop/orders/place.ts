import type { Request } from "../../api/contract.ts";
import type { Order } from "../../api/entities.ts";
import type { OrderHeaderRow, PurchaseRow } from "../../database/schema.ts";
import { actorText } from "../audit-log/actor.ts";
import { formatMoney, fromCents, toCents } from "../money.ts";
import { multipleProblem } from "../pricing/rules.ts";
import { findProductsByItemNumber } from "../products/queries.ts";
import { isRefusal, type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { messages } from "../texts/specification.ts";
import { toOrder, totalsOf } from "./entity.ts";
import { MAX_TOTAL, MIN_TOTAL } from "./rules.ts";

type OrderForm = Request<"placeOrder">["body"];

interface OrderRequest extends Partial<Omit<OrderHeaderRow, "number">> {
  address: string;
  phone: string;
  exact?: boolean;
  lines: {
    index: number;
    product: string | null;
    quantity: number;
    price_cents: number | null;
    total_cents?: number | null;
  }[];
}

export interface LineProblemRow {
  problem:
    | "unknown"
    | "archived"
    | "below_minimum"
    | "above_stock"
    | "not_a_multiple"
    | "price_changed"
    | "total_changed"
    | "total_too_high"
    | "total_too_low"
    | "order_too_high";
  line_index: number;
  current_price_cents: number;
  current_stock: number;
  current_minimum: number;
  current_multiple: number;
}

type PlacedRow = PurchaseRow & { problem: null; order_number: number };

export const PLACE = `
SELECT problem, line_index, current_price_cents, current_stock, current_minimum, current_multiple, order_number,
  (purchase).*
FROM shop.place_order($1::jsonb, ${MIN_TOTAL}, ${MAX_TOTAL})`;

export async function insertOrder(
  store: Store,
  buyer: User,
  request: OrderRequest,
): Promise<{ number: number; purchases: PurchaseRow[] } | { problems: LineProblemRow[] } | Refusal> {
  const { id, name, email } = buyer;
  const { rows } = await store.pool.query<PlacedRow | LineProblemRow>({
    name: "place-order",
    text: PLACE,
    values: [JSON.stringify({ buyer: id, name, email, actor: actorText(), ...request })],
  });
  const problems = rows.filter((row) => row.problem !== null);
  if (problems.length > 0) return { problems };
  const purchases = rows as PlacedRow[];
  // the account was deleted meanwhile (migration 0076)
  if (!purchases[0]) return refuse("missing", refusals.userNotFound);
  return { number: purchases[0].order_number, purchases };
}

/** One problem per line that cannot be ordered unchanged; a price that fell since the buyer saw it is none. */
export async function placeOrder(store: Store, buyer: User, form: OrderForm): Promise<Order | Refusal> {
  const { address, phone, contact, note, poNumber: po_number } = form;
  const header = { contact, note, po_number } satisfies Omit<OrderHeaderRow, "number">;
  const resolved = await resolveProducts(store, form.lines);
  if (isRefusal(resolved)) return resolved;
  const lines = mergeLines(resolved);
  const placed = await insertOrder(store, buyer, { address, phone, ...header, lines });
  if (isRefusal(placed)) return placed;
  if ("problems" in placed) return explainProblems(placed.problems, lines, form.lines);
  const { number, purchases } = placed;
  return toOrder({ number, ...header }, totalsOf(purchases), purchases, store.unpaidHoldHours);
}

export type Line = OrderRequest["lines"][number];
type LineProblem = NonNullable<Refusal["lines"]>[number];

/** Resolves item numbers; `product` is null if none or several have it. Refuses an id and a number of two tools. */
async function resolveProducts(store: Store, lines: OrderForm["lines"]): Promise<Line[] | Refusal> {
  const numbers = lines.flatMap(({ itemNumber }) => (itemNumber?.trim() ? [itemNumber] : []));
  const found =
    numbers.length > 0 ? await findProductsByItemNumber(store, numbers) : new Map<string, string>();
  const contradiction = lines.findIndex(({ productId, itemNumber = "" }) => {
    const ofNumber = found.get(itemNumber);
    return productId && ofNumber && productId !== ofNumber;
  });
  if (contradiction >= 0)
    return refuseField(`lines.${contradiction}.itemNumber`, orderRefusals.itemNumberOfOtherTool);
  return lines.map(({ productId, itemNumber = "", quantity, price }, index) => ({
    index,
    product: productId ?? found.get(itemNumber) ?? null,
    quantity,
    price_cents: price === undefined ? null : toCents(price),
  }));
}

/**
 * Adds up the lines of a product under its first line; of the prices that the buyer was shown, the lowest counts. A line
 * of less than one piece takes nothing off another one: it remains, and is refused.
 */
function mergeLines(lines: Line[]): Line[] {
  const merged = new Map<string, Line>();
  for (const line of lines) {
    const key = line.product ?? `line ${line.index}`;
    const first = merged.get(key);
    if (!first || (line.quantity < 1 && first.quantity >= 1)) merged.set(key, { ...line });
    else if (first.quantity >= 1) {
      // a larger number would overflow in SQL
      first.quantity = Math.min(first.quantity + line.quantity, Number.MAX_SAFE_INTEGER);
      const prices = [first.price_cents, line.price_cents].filter((cents) => cents !== null);
      first.price_cents = prices.length > 0 ? Math.min(...prices) : null;
    }
  }
  return [...merged.values()];
}

function explainProblems(rows: LineProblemRow[], lines: Line[], formLines: OrderForm["lines"]): Refusal {
  if (rows.some(({ problem }) => problem === "order_too_high"))
    return refuseField("lines", orderRefusals.orderTooHigh(formatMoney(MAX_TOTAL)));
  const problems = rows
    .map((row) => {
      const line = lines.find(({ index }) => index === row.line_index) as Line;
      return explainLine(row, line, formLines[row.line_index]?.itemNumber);
    })
    .sort((a, b) => a.index - b.index);
  return refuse("conflict", orderRefusals.linesChanged(problems.length), { lines: problems });
}

export function explainLine(row: LineProblemRow, line: Line, itemNumber = ""): LineProblem {
  return { index: row.line_index, code: row.problem, ...explanations[row.problem](row, line, itemNumber) };
}

type Explain = (row: LineProblemRow, line: Line, itemNumber: string) => Omit<LineProblem, "index" | "code">;

const priceChanged: Explain = ({ current_price_cents: price }, line) => ({
  detail: refusals.priceChanged(formatMoney(line.price_cents ?? 0), formatMoney(price)),
  price: fromCents(price),
});

const explanations: Record<LineProblemRow["problem"], Explain> = {
  unknown: (_, { product }, itemNumber) => ({
    detail: product ? refusals.productNotFound : orderRefusals.textUnknown(itemNumber),
  }),
  archived: () => ({ detail: refusals.productGone }),
  below_minimum: ({ current_minimum: minimum }) => ({
    detail: messages.purchase.belowMinimum(minimum),
    minimum,
  }),
  above_stock: ({ current_stock: stock }) => ({ detail: messages.purchase.aboveStock(stock), stock }),
  not_a_multiple: ({ current_minimum, current_multiple: multiple, current_stock }, { quantity }) => {
    const product = { minimum_order: current_minimum, order_multiple: multiple, quantity: current_stock };
    return { detail: multipleProblem(quantity, product) ?? refusals.badInput, multiple };
  },
  price_changed: priceChanged,
  total_changed: priceChanged,
  total_too_high: () => ({ detail: refusals.totalTooHigh(formatMoney(MAX_TOTAL)) }),
  total_too_low: () => ({ detail: refusals.totalTooLow(formatMoney(MIN_TOTAL)) }),
  order_too_high: () => ({ detail: orderRefusals.orderTooHigh(formatMoney(MAX_TOTAL)) }),
};
