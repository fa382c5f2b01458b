import type { CheckedLine } from "../../api/cart-calls.ts";
import type { Output, Request } from "../../api/contract.ts";
import { formatMoney, fromCents, toCents } from "../money.ts";
import {
  activeBreak,
  cheaperQuantity,
  mostOrderable,
  nextBreak,
  roundUpToMultiple,
  unitPriceCents,
} from "../pricing/rules.ts";
import type { Store } from "../store.ts";
import { formatCount } from "../texts/format-count.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { MAX_PIECES } from "./limits.ts";
import { findProductsById, type Match, type MatchedProduct, matchProducts } from "./match-products.ts";
import { readQuantity } from "./read-quantity.ts";

type Line = Request<"checkLines">["body"]["lines"][number];
type Fix = NonNullable<CheckedLine["fixes"]>[number];

/** Lines of the same product are checked by their total quantity; a fix changes one of them. */
export async function checkLines(store: Store, lines: Line[]): Promise<Output<"checkLines">> {
  const texts = lines.flatMap((line) => (line.productId ? [] : [textOf(line)]));
  const ids = lines.flatMap(({ productId }) => productId ?? []);
  const [byText, byId] = await Promise.all([
    texts.length > 0 ? matchProducts(store, texts) : new Map<string, Match>(),
    ids.length > 0 ? findProductsById(store, ids) : new Map<string, MatchedProduct>(),
  ]);
  const found = lines.map((line): Match => {
    if (!line.productId) return byText.get(textOf(line)) ?? { candidates: [] };
    const product = byId.get(line.productId);
    return { ...(product && { product }), candidates: [] };
  });
  return findProblems(lines, found);
}

function textOf({ itemNumber, text }: Line): string {
  return (itemNumber?.trim() || text || "").trim();
}

export function findProblems(lines: Line[], found: Match[]): Output<"checkLines"> {
  const quantities = lines.map((line, index) => quantityOf(line, found[index]?.product));
  const sums = new Map<string, number>();
  for (const [index, { product }] of found.entries()) {
    const quantity = quantities[index];
    if (product && isCountable(quantity)) sums.set(product.id, (sums.get(product.id) ?? 0) + quantity);
  }
  const checked = lines.map((line, index): CheckedLine => {
    const { product, candidates } = found[index] as Match;
    if (!product) return unknownLine(index, line, candidates, quantities[index] ?? null);
    return checkLine(index, line, product, quantities[index] ?? null, sums.get(product.id) ?? 0);
  });
  const orderable = checked.filter(({ code }) => code === undefined || code === "price_changed");
  const cents = orderable.reduce((sum, { total = 0 }) => sum + (toCents(total) ?? 0), 0);
  return {
    lines: checked,
    total: fromCents(cents),
    pieces: orderable.reduce((sum, { quantity = 0 }) => sum + quantity, 0),
  };
}

function quantityOf({ quantity }: Line, product: MatchedProduct | undefined): number | null {
  if (quantity === undefined || (typeof quantity === "string" && quantity.trim() === ""))
    return product?.minimum_order ?? null;
  return readQuantity(quantity);
}

const UNIT = /\s*(?:pcs?|pieces?|units?|ea|each|stk|st|stück|szt|pz|x)\.?$/iu;

function withoutUnit(typed: string): number | null {
  return readQuantity(typed.trim().replace(UNIT, ""));
}

function isCountable(quantity: number | null | undefined): quantity is number {
  return (
    typeof quantity === "number" && Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_PIECES
  );
}

function unknownLine(
  index: number,
  line: Line,
  candidates: MatchedProduct[],
  quantity: number | null,
): CheckedLine {
  const text = textOf(line);
  const isAmbiguous = candidates.length > 1 && candidates.every(({ name }) => name === candidates[0]?.name);
  return {
    index,
    ...(quantity !== null && { quantity }),
    code: "unknown",
    detail: text
      ? (isAmbiguous ? orderRefusals.textAmbiguous : orderRefusals.textUnknown)(text)
      : refusals.productNotFound,
    ...(candidates.length > 0 && {
      suggestions: candidates.map(({ id, item_number, name, picture }) => ({
        productId: id,
        ...(item_number && { itemNumber: item_number }),
        name,
        picture,
      })),
    }),
  };
}

function checkLine(
  index: number,
  line: Line,
  product: MatchedProduct,
  quantity: number | null,
  sum: number,
): CheckedLine {
  const base = {
    index,
    productId: product.id,
    name: product.name,
    ...(product.item_number && { itemNumber: product.item_number }),
    picture: product.picture,
    minimumOrder: product.minimum_order,
    orderMultiple: product.order_multiple,
    ...(!product.archived && { stock: product.quantity }),
    listPrice: fromCents(product.price_cents),
    ...(quantity !== null && { quantity }),
  };
  if (product.archived) {
    const tool = [product.name, product.item_number].filter(Boolean).join(" ");
    return { ...base, code: "archived", detail: orderRefusals.noLongerSold(tool) };
  }
  if (!isCountable(quantity)) {
    const problem = badQuantity(quantity, line.quantity, product);
    return { ...base, code: "bad_quantity", ...problem };
  }
  const cents = unitPriceCents(product, sum);
  const reached = activeBreak(product, sum);
  const priced = {
    ...base,
    price: fromCents(cents),
    ...(reached && { priceFrom: reached.quantity }),
    total: fromCents(cents * quantity),
  };
  const otherPieces = sum - quantity;
  const problem = quantityProblem(product, sum, otherPieces);
  if (problem) return { ...priced, ...problem };
  return { ...priced, ...adviceFor(product, sum, otherPieces), ...priceChange(line, cents) };
}

/** The quantities of this line for which the total of the product's lines is one of `targets`. */
function fixesFor(
  targets: number[],
  otherPieces: number,
  label: (pieces: number) => string,
): { fixes?: Fix[] } {
  const fixes = [...new Set(targets)]
    .map((target) => target - otherPieces)
    .filter((pieces) => pieces >= 1)
    .map((pieces) => ({ quantity: pieces, label: label(pieces) }));
  return fixes.length > 0 ? { fixes } : {};
}

const take = (pieces: number) => `Take ${formatCount(pieces)}`;

function badQuantity(
  quantity: number | null,
  typed: Line["quantity"],
  product: MatchedProduct,
): Pick<CheckedLine, "detail" | "fixes"> {
  const most = mostOrderable(product);
  if (quantity === null) {
    const pieces = withoutUnit(String(typed));
    return {
      detail: orderRefusals.notAQuantity(String(typed)),
      ...fixesFor(isCountable(pieces) ? [pieces] : [], 0, take),
    };
  }
  if (quantity > MAX_PIECES)
    return {
      detail: orderRefusals.inStock(product.quantity, quantity),
      ...fixesFor(most > 0 ? [most] : [], 0, take),
    };
  const up = Math.max(product.minimum_order, roundUpToMultiple(Math.ceil(quantity), product.order_multiple));
  const detail = Number.isInteger(quantity)
    ? orderRefusals.minimumOrder(product.minimum_order)
    : refusals.wholeNumber;
  return { detail, ...fixesFor(up <= most ? [up] : [], 0, take) };
}

function quantityProblem(
  product: MatchedProduct,
  sum: number,
  otherPieces: number,
): Pick<CheckedLine, "code" | "detail" | "fixes"> | null {
  const { minimum_order: minimum, order_multiple: multiple, quantity: stock } = product;
  const most = mostOrderable(product);
  if (sum > stock || most === 0) {
    const detail =
      most === 0 && stock < minimum
        ? orderRefusals.notEnoughForMinimum(stock, minimum)
        : orderRefusals.inStock(stock, sum);
    return { code: "above_stock", detail, ...fixesFor(most > 0 ? [most] : [], otherPieces, take) };
  }
  if (sum < minimum)
    return {
      code: "below_minimum",
      detail: orderRefusals.minimumOrder(minimum),
      ...fixesFor([minimum], otherPieces, (pieces) => `Raise to ${pieces}`),
    };
  if (sum % multiple === 0) return null;
  const above = roundUpToMultiple(sum, multiple);
  const around = [above, above - multiple].filter((one) => one >= minimum && one <= most);
  return {
    code: "not_a_multiple",
    detail: orderRefusals.isNotAMultiple(multiple, sum),
    ...fixesFor(around, otherPieces, take),
  };
}

function adviceFor(
  product: MatchedProduct,
  sum: number,
  otherPieces: number,
): Pick<CheckedLine, "nextBreak" | "cheaper"> {
  const next = nextBreak(product, sum);
  const cheaper = cheaperQuantity(product, sum);
  const reached = next && roundUpToMultiple(next.quantity, product.order_multiple);
  const nextCents = reached ? unitPriceCents(product, reached) : 0;
  return {
    ...(reached &&
      reached <= mostOrderable(product) && {
        nextBreak: {
          quantity: reached - otherPieces,
          price: fromCents(nextCents),
          total: fromCents(nextCents * reached),
        },
      }),
    ...(cheaper && {
      cheaper: {
        quantity: cheaper.quantity - otherPieces,
        total: fromCents(cheaper.totalCents),
        saves: fromCents(cheaper.savesCents),
      },
    }),
  };
}

/** Only a price that rose since the buyer saw it is a problem; a price that fell is simply charged. */
function priceChange(
  { price }: Line,
  cents: number,
): Pick<CheckedLine, "code" | "detail" | "previousPrice"> | null {
  const seen = price === undefined ? null : toCents(price);
  if (seen === null || price === undefined || seen >= cents) return null;
  const detail = orderRefusals.priceRose(formatMoney(seen), formatMoney(cents));
  return { code: "price_changed", detail, previousPrice: price };
}
