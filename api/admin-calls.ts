import { z } from "zod";
import { PRICE_STEPS } from "../shop/catalogue/facets.ts";
import { CHOOSABLE_COLUMNS, choosableColumnNames } from "../shop/orders/choosable-columns.ts";
import { PURCHASE_EXPORT_COLUMNS } from "../shop/orders/export-columns.ts";
import { orderRefusals } from "../shop/texts/order-refusals.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { activity } from "./account-calls.ts";
import { call } from "./call.ts";
import { catalogueQuery, facets } from "./catalogue-calls.ts";
import { product, purchase, review, user } from "./entities.ts";
import {
  byId,
  count,
  cursors,
  deleted,
  EMAIL_ID,
  exportQuery,
  id,
  listOf,
  modified,
  numeral,
  page,
  pieces,
  search,
} from "./fields.ts";
import { day } from "./order-calls.ts";
import { overview, period } from "./overview.ts";
import { mostStock, productForm, stock } from "./product-form.ts";

/** Of an integer column. */
const MAX_INTEGER = 2_147_483_647;

/** PUT /products/{id}: the product form, the version it was filled from and the stock it showed. */
const productEdit = productForm
  .safeExtend({
    quantity: stock(MAX_INTEGER),
    version: z.int({ error: refusals.numberRequired }).min(1).max(MAX_INTEGER),
    seenQuantity: stock(MAX_INTEGER),
    reorderPoint: pieces(0, refusals.required).optional().describe("Unchanged if absent."),
    archived: z.boolean().optional(),
  })
  .refine(({ quantity, seenQuantity }) => quantity <= mostStock(seenQuantity), {
    path: ["quantity"],
    error: ({ input }) => refusals.atMost(mostStock((input as { seenQuantity: number }).seenQuantity)),
  });

export const timeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][\w+/-]*$/, refusals.badZone)
  .refine(isZoneName, refusals.badZone)
  .default("UTC");

/** PostgreSQL would read "UTC+5" as POSIX does, with the sign reversed. */
function isZoneName(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone });
    return true;
  } catch {
    return false;
  }
}

const emailSummary = z.object({ id: z.string(), to: z.string(), subject: z.string(), sentAt: z.string() });

const term = z
  .string()
  .trim()
  .min(1, refusals.required)
  .max(60, refusals.tooLong(60))
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, refusals.unreadableText);

const synonym = z.object({ _id: z.uuid(), term: z.string(), sameAs: z.string() });

const failedEmail = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string().optional(),
  tries: z.number().int(),
  problem: z.string().describe("The last response of the SMTP server."),
  nextTry: z.iso.datetime().optional(),
});

export const purchaseSearch = {
  status: z.enum(["unpaid", "paid", "shipped", "refunded"]).optional(),
  q: search,
  buyer: search.describe("Part of the name or email of the buyer's account."),
  customer: id.optional(),
  po: search,
  item: search.describe("Part of the product's name or item number."),
  from: day.optional().describe("The first day on which it was placed, in `zone`."),
  to: day.optional().describe("The last day on which it was placed, in `zone`."),
  zone: timeZone,
  age: numeral(z.number().int().min(1).max(3650)).optional(),
  sort: z.enum(["newest", "oldest", "total", "waiting"]).default("newest"),
};

export const productFilter = {
  q: search.describe("Words of the name, item number or category. All must match."),
  category: search,
  power: search,
  voltage: numeral(z.number().min(0).max(100_000)).optional(),
  price: numeral(z.number().int().min(0).max(PRICE_STEPS.length))
    .optional()
    .describe("The number of a price band of the catalogue, from 0."),
  minimum: catalogueQuery.shape.minimum,
  stock: catalogueQuery.shape.stock,
  low: z.literal("1").optional(),
  archived: z
    .enum(["only", "all"])
    .optional()
    .describe("`only`: archived products; `all`: both. Products on sale if absent."),
};

export const productSort = z.enum(["newest", "oldest", "name", "price", "stock"]).default("oldest");

const inWords = (names: string[]) => `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const chosenColumns = Object.entries(CHOOSABLE_COLUMNS).map(
  ([name, { exported }]) => `${name} (${exported.join(", ")})`,
);

/** "buyer,po", or "none"; all without it */
const exportedColumns = z
  .string()
  .transform((list) => (list === "none" ? [] : list.split(",")))
  .pipe(listOf(choosableColumnNames, orderRefusals.badColumns(inWords(choosableColumnNames))))
  .optional();

export const adminCalls = {
  searchPurchases: call("GET /purchases", {
    access: "admin",
    summary:
      "Purchases: search, filter by status, sort, paginate; includes the number per status. " +
      "`paid` is what is still to be shipped, `refunded` what was given back before it was. " +
      "`waiting` sorts those of `paid` by when they were paid, and no others.",
    query: z.strictObject({ ...purchaseSearch, ...page }),
    output: z.object({
      orders: z.array(
        purchase.extend({
          orderNumber: count,
          poNumber: z.string().optional(),
          lineCount: count,
          customerId: z.uuid(),
        }),
      ),
      counts: z.object({ all: count, unpaid: count, paid: count, shipped: count, refunded: count }),
      countLimit: count.optional().describe("With filters, a count that reaches this may stand for more."),
      toShip: count,
      ...cursors,
    }),
  }),
  exportPurchases: call("GET /admin/orders/export.csv", {
    access: "admin",
    acceptsSession: true,
    csv: "orders",
    summary:
      "The order lines that `GET /purchases` finds with the same filters, as CSV, one row per line: " +
      `${Object.keys(PURCHASE_EXPORT_COLUMNS).join(", ")}. Times are ISO 8601 in UTC, amounts dollars; ` +
      "a cell that begins like a formula has a leading apostrophe. `bom=true` begins with a byte order mark, for Excel. " +
      `\`columns\` leaves out what it does not name: ${inWords(chosenColumns)}, separated by commas, or none.`,
    query: exportQuery({ ...purchaseSearch, columns: exportedColumns }),
    output: z.string(),
  }),
  searchProducts: call("GET /admin/products", {
    access: "admin",
    summary:
      "Tools on sale: search, filter by the facets of the catalogue, sort, paginate; `low=1` returns those with little " +
      "stock, `archived=only` those that are no longer sold, `archived=all` both.",
    query: z.strictObject({
      ...productFilter,
      sort: productSort,
      ...page,
      offset: numeral(z.number().int().min(0).max(1_000_000))
        .optional()
        .describe("The position of the first product, instead of a `cursor`."),
    }),
    output: z.object({
      products: z.array(product),
      counts: z.object({ all: count, low: count }),
      facets: facets
        .optional()
        .describe("Of all products on sale, regardless of the search. Absent with `offset`."),
      ...cursors,
    }),
  }),
  editProduct: call("PUT /products/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary:
      "Changes a tool and its stock; 409 with the current tool if it was changed in the meantime. An archived tool is " +
      "only changed with `archived`: `false` puts it back on sale.",
    params: byId,
    body: productEdit,
    output: product,
  }),
  restoreProduct: call("POST /admin/products/{id}/restore", {
    access: "admin",
    idempotency: "transaction",
    summary:
      "Puts an archived tool back on sale, as it was; 409 if another tool has its item number now. `DELETE /products/{id}` " +
      "archives a tool.",
    params: byId,
    output: product,
  }),
  listSynonyms: call("GET /admin/synonyms", {
    access: "admin",
    summary: "Terms that a search treats as synonyms: search, paginate.",
    query: z.strictObject({ q: search, ...page }),
    output: z.object({ synonyms: z.array(synonym), ...cursors }),
  }),
  addSynonym: call("POST /admin/synonyms", {
    access: "admin",
    idempotency: "transaction",
    summary: "Adds a pair of synonyms; 409 if it exists.",
    body: z.strictObject({ term, sameAs: term }),
    output: synonym,
  }),
  deleteSynonym: call("DELETE /admin/synonyms/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary: "Removes a pair of synonyms.",
    params: byId,
    output: deleted,
  }),
  searchUsers: call("GET /admin/users", {
    access: "admin",
    summary: "Users: search, filter by role, paginate.",
    query: z.strictObject({ q: search, role: z.enum(["admin", "user"]).optional(), ...page }),
    output: z.object({
      users: z
        .array(user.extend({ closed: z.literal(true).optional() }))
        .describe("`closed`: an admin closed the account."),
      counts: z.object({ all: count, admin: count }),
      countLimit: count.optional().describe("With `q`, a count that reaches this may stand for more."),
      ...cursors,
    }),
  }),
  searchReviews: call("GET /admin/reviews", {
    access: "admin",
    summary:
      "Reviews, newest first, including hidden ones: search, paginate; `hidden=1` returns only hidden ones.",
    query: z.strictObject({ q: search, hidden: z.literal("1").optional(), ...page }),
    output: z.object({
      reviews: z
        .array(
          review.extend({ writtenAt: z.iso.datetime(), hidden: z.boolean(), email: z.string().optional() }),
        )
        .describe("`email`: the author's, while the account exists."),
      counts: z.object({ all: count, hidden: count }),
      countLimit: count.optional().describe("With `q`, a count that reaches this may stand for more."),
      ...cursors,
    }),
  }),
  hideReview: call("PUT /admin/reviews/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary: "Hides a review from everybody except admins, or shows it again.",
    params: byId,
    body: z.strictObject({ hidden: z.boolean() }),
    output: modified,
  }),
  searchActivity: call("GET /admin/activity", {
    access: "admin",
    summary:
      "Security events of accounts in the last six months: logins, refused attempts, changes; search, paginate.",
    query: z.strictObject({ q: search, kind: z.literal("refused").optional(), ...page }),
    output: activity,
  }),
  overview: call("GET /overview", {
    access: "admin",
    summary: "Key figures: revenue, orders by status, orders awaiting shipment, bestsellers, low stock.",
    query: z.strictObject({ period: period.optional(), zone: timeZone }),
    output: overview,
  }),
  listFailedEmails: call("GET /admin/emails/failed", {
    access: "admin",
    summary: "Emails that the mail server rejected, retried or failed for good, sorted by the next attempt.",
    output: z.object({ mails: z.array(failedEmail) }),
  }),
  retryEmail: call("POST /admin/emails/{job}/retry", {
    access: "admin",
    idempotency: "transaction",
    summary: "Retries an email now.",
    params: z.object({ job: z.string().regex(/^\d{1,18}$/, refusals.badId) }),
    output: modified,
  }),
  listEmails: call("GET /outbox", {
    access: "admin",
    summary:
      "The emails in the outbox of a store without an SMTP server, newest first; a database keeps them for 90 days.",
    query: z.strictObject({
      limit: numeral(z.number().int().min(1).max(100)).default(25),
      cursor: z.string().regex(EMAIL_ID, refusals.badCursor).optional(),
    }),
    output: z.object({
      mails: z.array(emailSummary),
      all: count,
      countLimit: count.optional().describe("A count that reaches this may stand for more."),
      next: z.string().optional(),
    }),
  }),
  findMail: call("GET /outbox/{id}", {
    access: "admin",
    summary: "One email of the outbox, both parts.",
    params: z.object({ id: z.string().max(60) }),
    output: emailSummary.extend({
      text: z.string(),
      html: z.string(),
      hides: z.boolean().describe("Sign-in links are removed; they work in the email itself only."),
    }),
  }),
};
