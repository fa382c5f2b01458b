import { z } from "zod";
import { MINIMUM_STEPS, PRICE_STEPS, sorts, stocks } from "../shop/catalogue/facets.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { messages } from "../shop/texts/specification.ts";
import { call } from "./call.ts";
import { product } from "./entities.ts";
import { byId, count, deleted, email, numeral } from "./fields.ts";

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

/** Also the query parameters of the page /tools. */
export const catalogueQuery = z.object({
  q: text
    .default("")
    .describe(
      "Words of the name, item number, key fact or technical data. Prefixes and misspellings match too.",
    ),
  category: several(text),
  power: several(text),
  voltage: several(numeral(z.number().min(0).max(100_000))),
  price: several(numeral(z.number().int().min(0).max(PRICE_STEPS.length))),
  minimum: numeral(
    z.number().refine((pieces) => MINIMUM_STEPS.some((step) => step === pieces), refusals.badInput),
  ).optional(),
  stock: z.enum(stocks).optional(),
  sort: z.enum(sorts).optional(),
  limit: numeral(z.number().int().min(1).max(100)).default(30),
  cursor: z.string().max(1200).optional(),
});

const facet = <Value extends z.ZodType>(value: Value) => z.array(z.object({ value, tools: count }));

export const facets = z.object({
  category: facet(z.string()),
  power: facet(z.string()),
  voltage: facet(z.number()),
  price: facet(count),
  minimum: facet(count).describe("The largest acceptable minimum order."),
  stock: facet(z.enum(stocks)),
});

const unknownNumber = z
  .boolean()
  .optional()
  .describe("The query looks like an item number that no product has; the products are similar.");

const catalogueResult = z.object({
  tools: z.array(product),
  total: count,
  facets,
  understood: z.string().optional().describe("The query as interpreted, if it differs from the text."),
  partialFrom: count.optional().describe("From this index on, products match only some of the words."),
  unknownNumber,
  without: z
    .array(
      z.object({
        filter: z.enum(["q", "category", "power", "voltage", "price", "minimum", "stock"]),
        tools: count,
      }),
    )
    .optional()
    .describe(
      "If there are no results: the number of products without the words, or without the selection in one facet.",
    ),
  next: z.string().optional(),
});

const pricedQuantity = z.object({ quantity: count, price: z.number(), total: z.number() });

/** `orderable`: there is stock; `confirm`: a link was sent to confirm the email address. */
const alertState = z.object({ alert: z.enum(["waiting", "orderable", "confirm"]) });

/** Of the tools of a result; `rows` have no description and no technical data, most of the bytes of a tool. */
export type CatalogueDetail = "products" | "rows";
export type CatalogueQuery = z.output<typeof catalogueQuery>;
export type CatalogueResult = z.infer<typeof catalogueResult>;

export const catalogueCalls = {
  searchCatalogue: call("GET /catalog", {
    access: "anyone",
    summary: "Searches tools by words and facets; returns a page and the counts of every facet.",
    query: catalogueQuery,
    output: catalogueResult,
  }),
  findPrice: call("GET /products/{id}/price", {
    access: "anyone",
    summary:
      "What a quantity of one product costs, the next price break, and a larger quantity that costs less.",
    params: byId,
    query: z.object({
      quantity: numeral(z.number({ error: refusals.numberRequired }).int(refusals.wholeNumber)),
    }),
    output: pricedQuantity.extend({
      break: count
        .optional()
        .describe("The quantity from which this price applies. Absent for the list price."),
      next: pricedQuantity.optional(),
      cheaper: z
        .object({ quantity: count, total: z.number(), saves: z.number() })
        .optional()
        .describe("A larger quantity that costs less in total."),
    }),
  }),
  findStockAlert: call("GET /products/{id}/alert", {
    access: "user",
    summary: "Whether you have a stock alert for a tool.",
    params: byId,
    output: z.object({ waiting: z.boolean() }),
  }),
  addStockAlert: call("POST /products/{id}/alert", {
    access: "user",
    idempotency: "transaction",
    summary: "One email when the tool can be ordered again; an unconfirmed email gets a link first.",
    params: byId,
    output: alertState,
  }),
  removeStockAlert: call("DELETE /products/{id}/alert", {
    access: "user",
    idempotency: "transaction",
    summary: "Cancels your stock alert.",
    params: byId,
    output: deleted,
  }),
  askForStockAlert: call("POST /products/{id}/alert-email", {
    access: "anyone",
    idempotency: "none",
    summary: "The same for a visitor: sends a confirmation link.",
    params: byId,
    // no lists, names or comments (RFC 5322): each spelling of the same email address would have its own rate limit
    body: z.strictObject({ email: email.regex(/^[^,;:<>()[\]\\"]+$/, messages.login.emailInvalid) }),
    output: alertState,
  }),
  suggestTools: call("GET /catalog/suggestions", {
    access: "anyone",
    summary: "Search suggestions: the first eight matching tools and the number of matches.",
    query: z.object({ q: text.min(1, refusals.required) }),
    output: z.object({
      tools: z.array(
        product.pick({
          _id: true,
          name: true,
          itemNumber: true,
          picture: true,
          price: true,
          minimum_order: true,
          order_multiple: true,
          quantity: true,
        }),
      ),
      total: count,
      unknownNumber,
    }),
  }),
};
