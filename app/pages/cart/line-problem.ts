/** The message under a line, and its fixes. Pure. */
import type { CheckedLine } from "../../../api/cart-calls.ts";
import { count, dollars } from "../../components/format.ts";
import type { RowFix } from "./cart-rows.ts";

export interface LineNotice {
  /** `bad` prevents ordering, `warn` does not; `save` suggests a cheaper quantity */
  kind: "bad" | "warn" | "save";
  text: string;
  /** the recommended one first */
  fixes: Fix[];
}

export interface Fix {
  label: string;
  /** shown in lighter type after the label */
  detail?: string | undefined;
  change?: RowFix;
  to?: string;
  /** suggests a product for a text that matched none */
  isGuess?: boolean;
}

/** One message per line: a problem that prevents ordering, else a changed price, else a saving. */
export function noticeOf(line: CheckedLine | undefined): LineNotice | null {
  if (!line) return null;
  const { code, detail = "", cheaper, quantity = 0 } = line;
  if (code === "price_changed")
    return {
      kind: "warn",
      text: detail,
      fixes: [{ label: "Keep at new price", change: { price: line.price } }],
    };
  if (code) return { kind: "bad", text: detail, fixes: fixesOf(line) };
  if (!cheaper) return null;
  return {
    kind: "save",
    text: `${count(cheaper.quantity)} cost ${dollars(cheaper.saves)} less than ${count(quantity)}.`,
    fixes: [quantityFix(cheaper.quantity)],
  };
}

function fixesOf({ code, fixes = [], suggestions = [], detail = "" }: CheckedLine): Fix[] {
  if (code === "unknown") {
    const typed = /item number (.*)\.$/.exec(detail)?.[1];
    return [
      ...suggestions.map(({ productId, itemNumber, name }) => ({
        label: itemNumber ?? name,
        detail: itemNumber && name,
        change: { productId },
        isGuess: true,
      })),
      ...(typed ? [{ label: "Search", to: `/tools?${new URLSearchParams({ q: typed })}` }] : [REMOVE]),
    ];
  }
  const quantityFixes = fixes.flatMap(({ quantity, label }) =>
    quantity ? [{ label, change: { quantity } }] : [],
  );
  return quantityFixes.length > 0 || code === "bad_quantity" ? quantityFixes : [REMOVE];
}

const REMOVE: Fix = { label: "Remove" };

function quantityFix(quantity: number): Fix {
  return { label: `Take ${count(quantity)}`, change: { quantity } };
}
