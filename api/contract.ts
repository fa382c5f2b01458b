/** The calls of the specification, section 7, in its order; then our own, by subject. */
import { z } from "zod";
import { refusals } from "../shop/texts/refusals.ts";
import { accountCalls } from "./account-calls.ts";
import { addressCalls } from "./address-calls.ts";
import { adminCalls } from "./admin-calls.ts";
import { call } from "./call.ts";
import { cartCalls, linesOf } from "./cart-calls.ts";
import { catalogueCalls } from "./catalogue-calls.ts";
import { customerCalls } from "./customer-calls.ts";
import { mine, product, purchase, review, user } from "./entities.ts";
import { exportCalls } from "./export-calls.ts";
import {
  byId,
  clientAmount,
  count,
  deleted,
  email,
  id,
  modified,
  note,
  numeral,
  payable,
  pieces,
} from "./fields.ts";
import { importCalls } from "./import-calls.ts";
import { listCalls } from "./list-calls.ts";
import { orderCalls } from "./order-calls.ts";
import { pictureCalls } from "./picture-calls.ts";
import { productForm } from "./product-form.ts";
import { profileForm } from "./profile-form.ts";
import { purchaseForm } from "./purchase-form.ts";
import { reconciliationCalls } from "./reconciliation-calls.ts";
import { reviewForm } from "./review-form.ts";
import { stockCalls } from "./stock-calls.ts";

const byEmail = z.object({ email });

/** The default limit is 100; the next page is in the `Link` header. */
const page = z.object({
  limit: numeral(z.number().int().min(1).max(1000)).default(100),
  cursor: note(300).optional(),
});

const specified = {
  issueToken: call("PUT /user/{email}", {
    access: "session",
    idempotency: "none",
    summary: "An access token for the user signed in with this email; creates the user record on first use.",
    params: byEmail,
    body: z.object({ email: email.optional() }).default({}),
    output: z.object({ token: z.string() }),
  }),
  findUser: call("GET /user/{email}", {
    access: "selfOrAdmin",
    summary: "Role and profile of one user.",
    params: byEmail,
    output: user,
  }),
  listProducts: call("GET /products", {
    access: "anyone",
    summary: "The tools on sale.",
    query: page,
    output: z.array(product),
  }),
  findProduct: call("GET /products/{id}", {
    access: "anyone",
    summary: "One tool.",
    params: byId,
    output: product,
  }),
  listReviews: call("GET /reviews", {
    access: "anyone",
    summary: "Customer reviews.",
    query: page,
    output: z.array(review),
  }),
  placePurchase: call("POST /purchase", {
    access: "user",
    acceptsSession: true,
    idempotency: "transaction",
    summary:
      "Buys a quantity of one tool between its minimum order and its stock; the purchase is created unpaid.",
    body: purchaseForm,
    output: purchase,
  }),
  listPurchasesOf: call("GET /purchase/{email}", {
    access: "selfOrAdmin",
    summary: "The purchases of one user, newest first.",
    params: byEmail,
    query: page,
    output: z.array(purchase),
  }),
  listPurchases: call("GET /purchase", {
    access: "admin",
    summary: "All purchases, newest first.",
    query: page,
    output: z.array(purchase),
  }),
  cancelPurchase: call("DELETE /purchase/{id}", {
    access: "buyerOrAdmin",
    idempotency: "resumable",
    summary: "Cancels an unpaid purchase and returns its stock.",
    params: byId,
    output: deleted,
  }),
  shipPurchase: call("PATCH /shipment/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary: "Ships all pieces of a paid purchase that are left.",
    params: byId,
    body: z
      .object({
        seenShipped: pieces(0, refusals.numberRequired)
          .optional()
          .describe("The shipped pieces that the admin saw. Refused if they have changed."),
      })
      .default({}),
    output: modified,
  }),
  findPayment: call("GET /payment/{id}", {
    access: "buyerOrAdmin",
    summary: "One purchase as shown on the payment page.",
    params: byId,
    output: purchase
      .pick({
        _id: true,
        name: true,
        email: true,
        productName: true,
        picture: true,
        price: true,
        purchaseQuantity: true,
        total: true,
        status: true,
        transactionId: true,
        keptUntil: true,
        refunded: true,
        returned: true,
        restocking: true,
      })
      .extend({ mine }),
  }),
  createPaymentIntent: call("POST /create-payment-intent", {
    access: "user",
    idempotency: "resumable",
    summary:
      "Creates a card payment for the total of one of your unpaid purchases, of several, or of the unpaid lines of an order.",
    body: z.object({
      total: clientAmount.pipe(payable),
      purchaseId: id.optional(),
      purchaseIds: linesOf(id, 1).optional(),
      orderId: id.optional(),
    }),
    output: z.object({ clientSecret: z.string() }),
  }),
  confirmPayment: call("PATCH /payment/{id}", {
    access: "buyer",
    idempotency: "resumable",
    summary:
      "Records a succeeded card payment, by the id of a purchase or order that it covers; they become paid.",
    params: byId,
    body: z.object({
      transactionId: z.string().regex(/^pi_[\w.~-]{1,252}$/, refusals.badTransactionId),
      buyer: z.unknown().optional(),
    }),
    output: z.object({ modifiedCount: count, transactionId: z.string() }),
  }),
  addReview: call("POST /reviews", {
    access: "user",
    idempotency: "transaction",
    summary: "Adds a review under your own name.",
    body: reviewForm,
    output: z.object({ insertedId: z.uuid() }),
  }),
  updateProfile: call("PUT /updateProfile/{email}", {
    access: "self",
    idempotency: "transaction",
    summary: "Changes one field of your profile.",
    params: byEmail,
    body: profileForm,
    output: z.object({ lastErrorObject: z.object({ updatedExisting: z.boolean() }) }),
  }),
  addProduct: call("POST /products", {
    access: "admin",
    idempotency: "transaction",
    summary: "Adds a tool to the catalogue.",
    body: productForm,
    output: z.object({ insertedId: z.uuid() }),
  }),
  deleteProduct: call("DELETE /products/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary: "Removes a tool from the catalogue; its purchases are kept.",
    params: byId,
    output: deleted,
  }),
  listUsers: call("GET /user", {
    access: "admin",
    summary: "All users.",
    query: page,
    output: z.array(user),
  }),
  makeAdmin: call("PUT /user/admin/{email}", {
    access: "admin",
    stepUp: true,
    idempotency: "transaction",
    summary:
      "Makes a user an admin; this cannot be undone. An email that is not confirmed needs `confirmUnconfirmed`.",
    params: byEmail,
    body: z.object({ confirmUnconfirmed: z.boolean().default(false) }).default({ confirmUnconfirmed: false }),
    output: modified,
  }),
};

/** Promised to scripts, which may send more than the store knows. No default of theirs does more than was meant. */
const promised = new Set([
  ...Object.keys(specified),
  "placeOrder",
  "checkLines",
  "findCart",
  "saveCart",
  "mergeCart",
  "listSavedLists",
  "findSavedList",
  "addSavedList",
  "saveSavedList",
  "deleteSavedList",
  "listOrders",
  "findOrderDetails",
  "cancelOrder",
  "shipOrder",
  "findImport",
  "addPicture",
  "editProduct",
  "findStock",
  "changeStock",
]);

export const ignoresUnknown = (name: string): boolean => promised.has(name);

export const contract = {
  ...specified,
  ...catalogueCalls,
  ...orderCalls,
  ...cartCalls,
  ...addressCalls,
  ...listCalls,
  ...adminCalls,
  ...customerCalls,
  ...reconciliationCalls,
  ...stockCalls,
  ...importCalls,
  ...pictureCalls,
  ...exportCalls,
  ...accountCalls,
};

type Contract = typeof contract;
export type CallName = keyof Contract;

type Part<Name extends CallName, Key extends "params" | "query" | "body"> = NonNullable<Contract[Name][Key]>;
type Given<Schema, Key extends string> = Schema extends z.ZodUndefined
  ? Record<never, never>
  : Schema extends z.ZodType
    ? undefined extends z.input<Schema>
      ? { [K in Key]?: z.input<Schema> }
      : { [K in Key]: z.input<Schema> }
    : Record<never, never>;

export type Input<Name extends CallName> = Given<Part<Name, "params">, "params"> &
  Partial<Given<Part<Name, "query">, "query">> &
  Given<Part<Name, "body">, "body">;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface Request<Name extends CallName> {
  params: Parsed<Part<Name, "params">>;
  query: Parsed<Part<Name, "query">>;
  body: Parsed<Part<Name, "body">>;
}

export type Output<Name extends CallName> = z.output<Contract[Name]["output"]>;
