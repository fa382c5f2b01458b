/** A product while it is edited: all values are texts, in the shape of the contract's product form. */
import type { z } from "zod";
import type { Product } from "../../../../api/entities.ts";
import { pieces } from "../../../../api/fields.ts";
import { mostStock, productForm, stock } from "../../../../api/product-form.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { readNumber } from "../read-number.ts";

/** Texts of one line that may be blank, as the form and the table of a conflict show them. */
export const optionalTexts = {
  itemNumber: { label: "Item number" },
  category: { label: "Category" },
  keyFact: { label: "Key fact", note: "In the list" },
  powerSource: { label: "Power source" },
} satisfies { [Name in keyof Product]?: { label: string; note?: string } };

type OptionalText = keyof typeof optionalTexts;
export const optionalTextNames = Object.keys(optionalTexts) as OptionalText[];

export const ofOptionalTexts = <Value>(read: (name: OptionalText) => Value) =>
  Object.fromEntries(optionalTextNames.map((name) => [name, read(name)])) as Record<OptionalText, Value>;

export const blankDraft = {
  name: "",
  price: "",
  quantity: "",
  minimum_order: "",
  order_multiple: "",
  /** blank if it is 0 or was not loaded */
  reorderPoint: "",
  price_breaks: [] as { quantity: string; price: string }[],
  description: "",
  picture: "",
  ...ofOptionalTexts(() => ""),
  technicalData: [] as { name: string; value: string }[],
  dimensions: { width: "", height: "" },
  drawnBox: ["", "", "", ""],
  /** "yes", or blank for a product on sale; other texts are invalid */
  archived: "",
};

export type ProductDraft = typeof blankDraft;

export function draftOf(product: Product): ProductDraft {
  return {
    name: product.name,
    price: product.price.toFixed(2),
    quantity: String(product.quantity),
    minimum_order: String(product.minimum_order),
    order_multiple: String(product.order_multiple ?? ""),
    reorderPoint: String(product.reorderPoint ?? ""),
    price_breaks: (product.price_breaks ?? []).map(({ quantity, price }) => ({
      quantity: String(quantity),
      price: price.toFixed(2),
    })),
    description: product.description,
    picture: product.picture,
    ...ofOptionalTexts((name) => product[name] ?? ""),
    technicalData: product.technicalData ?? [],
    dimensions: {
      width: String(product.dimensions?.width ?? ""),
      height: String(product.dimensions?.height ?? ""),
    },
    drawnBox: product.drawnBox?.map(String) ?? blankDraft.drawnBox,
    archived: product.archived ? "yes" : "",
  };
}

const undefinedIfBlank = (text: string) => (text.trim() === "" ? undefined : text);

function toForm(draft: ProductDraft) {
  const { width, height } = draft.dimensions;
  const hasSize = width.trim() !== "" || height.trim() !== "";
  const hasBox = draft.drawnBox.some((side) => side.trim() !== "");
  return {
    ...draft,
    price: readNumber(draft.price),
    quantity: readNumber(draft.quantity),
    minimum_order: readNumber(draft.minimum_order),
    order_multiple: readNumber(draft.order_multiple),
    reorderPoint: readNumber(draft.reorderPoint),
    price_breaks:
      draft.price_breaks.length > 0
        ? draft.price_breaks.map(({ quantity, price }) => ({
            quantity: readNumber(quantity),
            price: readNumber(price),
          }))
        : undefined,
    ...ofOptionalTexts((name) => undefinedIfBlank(draft[name])),
    technicalData: draft.technicalData.length > 0 ? draft.technicalData : undefined,
    dimensions: hasSize ? { width: readNumber(width), height: readNumber(height) } : undefined,
    drawnBox: hasBox ? draft.drawnBox.map(readNumber) : undefined,
  };
}

export type ProductInput = z.output<typeof productForm> & { reorderPoint?: number | undefined };

/** A problem of a draft: its path, as in "price_breaks.0.price", and the message. */
export interface DraftProblem {
  name: string;
  message: string;
}

/** By the most stock that is allowed: making them takes longer than a check. */
const draftRules = new Map<number, ReturnType<typeof createDraftRules>>();

const createDraftRules = (most: number) =>
  productForm.safeExtend({
    quantity: stock(most),
    reorderPoint: pieces(0, refusals.required).optional(),
  });

/** Validates by the contract's own rules. Returns the input of the call, or all problems. */
export function checkDraft(draft: ProductDraft, currentStock = 0): ProductInput | DraftProblem[] {
  const most = mostStock(currentStock);
  const rules = draftRules.get(most) ?? createDraftRules(most);
  draftRules.set(most, rules);
  const { data, error } = rules.safeParse(toForm(draft), { reportInput: true });
  const problems = (error?.issues ?? []).map(({ path, message, input }) => ({
    name: path.join("."),
    // the rules report NaN as missing, but the field is not blank
    message: Number.isNaN(input) ? refusals.plainNumber : message,
  }));
  if (!["", "yes"].includes(draft.archived)) problems.push({ name: "archived", message: "Enter yes or no." });
  return problems.length > 0 ? problems : (data as ProductInput);
}

/** A three-way merge in which my changes win. A change of the stock is applied to the stock that they saved. */
export function mergeDrafts(base: ProductDraft, mine: ProductDraft, theirs: ProductDraft): ProductDraft {
  const names = Object.keys(theirs) as (keyof ProductDraft)[];
  const changed = names.filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(base[name]));
  const merged = { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) };
  const stockChange = (readNumber(mine.quantity) ?? Number.NaN) - Number(base.quantity);
  if (Number.isNaN(stockChange) || theirs.quantity === "") return merged;
  return { ...merged, quantity: String(Math.max(0, Number(theirs.quantity) + stockChange)) };
}
