/** Calls about finding tools. */
import { z } from "zod";
import { MINIMUM_STEPS, PRICE_STEPS, sorts, stocks } from "../shop/catalogue/facets.ts";
import { refusals } from "../shop/refusals.ts";
import { call } from "./call.ts";
import { product } from "./entities.ts";

/** A member that an address may name several times. */
const several = <Item extends z.ZodType>(item: Item) =>
  z
    .union([z.array(item).max(50), item])
    .optional()
    .transform(
      (given) => (given === undefined ? [] : Array.isArray(given) ? given : [given]) as z.output<Item>[],
    );

const text = z
  .string()
  .trim()
  .max(200, refusals.tooLong(200))
  .refine((value) => value.isWellFormed() && !value.includes("\0"), refusals.unreadableText);

/** What can be asked of the catalogue; the page /tools has the same members in its address. */
export const catalogueQuery = z.object({
  /** name, item number, key fact, technical data; half a word and a slip of the finger are understood */
  q: text.default(""),
  category: several(text),
  power: several(text),
  voltage: several(z.coerce.number().min(0).max(100_000)),
  price: several(z.coerce.number().int().min(0).max(PRICE_STEPS.length)),
  minimum: z.coerce
    .number()
    .refine((pieces) => MINIMUM_STEPS.some((step) => step === pieces), refusals.badInput)
    .optional(),
  stock: z.enum(stocks).optional(),
  sort: z.enum(sorts).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
  cursor: z.string().max(600).optional(),
});

const facet = <Value extends z.ZodType>(value: Value) =>
  z.array(z.object({ value, tools: z.number().int() }));

const catalogueResult = z.object({
  tools: z.array(product),
  total: z.number().int(),
  facets: z.object({
    category: facet(z.string()),
    power: facet(z.string()),
    /** volts */
    voltage: facet(z.number()),
    /** number of the price band */
    price: facet(z.number().int()),
    /** minimum order at most so many pieces */
    minimum: facet(z.number().int()),
    stock: facet(z.enum(stocks)),
  }),
  /** how the text was understood, where that is not what was typed */
  understood: z.string().optional(),
  /** where nothing is left: how many tools there are without the words, or without what is picked of one facet */
  without: z
    .array(
      z.object({
        filter: z.enum(["q", "category", "power", "voltage", "price", "minimum", "stock"]),
        tools: z.number().int(),
      }),
    )
    .optional(),
  /** the cursor of the next page */
  next: z.string().optional(),
});

export type CatalogueQuery = z.output<typeof catalogueQuery>;
export type CatalogueResult = z.infer<typeof catalogueResult>;

export const catalogueCalls = {
  searchCatalogue: call({
    method: "GET",
    path: "/catalog",
    access: "anyone",
    summary: "Finds tools by words and facets, a page at a time, with the counts of every facet.",
    query: catalogueQuery,
    answer: catalogueResult,
  }),
};
