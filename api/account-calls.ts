import { z } from "zod";
import { messages } from "../shop/texts/specification.ts";
import { address } from "./address-calls.ts";
import { call } from "./call.ts";
import { cartLine } from "./cart-calls.ts";
import { order, purchase, review, user } from "./entities.ts";
import { byId, cursors, deleted, email, modified, numeral } from "./fields.ts";
import { savedList } from "./list-calls.ts";
import { shipment } from "./order-calls.ts";

const instant = z.iso.datetime();

const accountSession = z.object({
  id: z.uuid(),
  current: z.boolean(),
  since: instant,
  lastSeen: instant,
  address: z.string().optional(),
  browser: z.string().optional(),
});

/** Contains no secret and no email address of another user. */
const accountEvent = z.object({
  _id: z.uuid(),
  at: instant,
  what: z.string(),
  detail: z.string().optional(),
  call: z.string().optional().describe("The `operationId` of the refused call. For admins only."),
  who: z
    .object({ name: z.string(), email: z.string() })
    .optional()
    .describe("For admins only. Absent if the account is unknown."),
  by: z.string().optional().describe("The admin who did it. Absent if the owner did."),
  ip: z.string().optional(),
  agent: z.string().optional(),
});

export const activity = z.object({
  events: z.array(accountEvent),
  ...cursors,
});

const passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  since: instant,
  lastUsed: instant.optional(),
});

const account = z.object({
  email: z.string(),
  name: z.string(),
  emailVerified: z.boolean(),
  hasPassword: z.boolean(),
  google: z.boolean(),
  secondFactor: z.boolean(),
  passkeys: z.boolean(),
  fresh: z.boolean(),
});

export type Account = z.infer<typeof account>;
export type AccountPasskey = z.infer<typeof passkey>;
export type AccountSession = z.infer<typeof accountSession>;

export const accountCalls = {
  findAccount: call("GET /account", {
    access: "user",
    summary: "How you log in.",
    output: account,
  }),
  listSessions: call("GET /account/sessions", {
    access: "user",
    summary: "Active sessions.",
    output: z.array(accountSession),
  }),
  endSession: call("DELETE /account/sessions/{id}", {
    access: "user",
    idempotency: "transaction",
    summary: "Ends one of your sessions, and every token of it.",
    params: byId,
    output: deleted,
  }),
  endOtherSessions: call("DELETE /account/sessions", {
    access: "user",
    idempotency: "transaction",
    summary: "Ends all your sessions except the current one.",
    output: deleted,
  }),
  listPasskeys: call("GET /account/passkeys", {
    access: "user",
    summary: "The passkeys with which you can log in.",
    output: z.array(passkey),
  }),
  listActivity: call("GET /account/activity", {
    access: "user",
    summary: "Security events of your account in the last six months, newest first.",
    query: z.strictObject({
      limit: numeral(z.number().int().min(1).max(100)).default(10),
      cursor: z.string().max(1200).optional(),
    }),
    output: activity,
  }),
  confirmAccount: call("POST /account/confirm", {
    access: "user",
    idempotency: "none",
    summary: "Signs in again (step-up), valid for one hour.",
    body: z.strictObject({ password: z.string({ error: messages.login.passwordRequired }).min(1).max(128) }),
    output: z.object({ fresh: z.literal(true) }),
  }),
  downloadData: call("GET /account/data", {
    access: "user",
    summary:
      "Your stored data: account, profile, passkeys, every order, review, address, saved list and back-in-stock email, the latest 200 sessions and the latest 1000 events.",
    output: z.object({
      account,
      profile: user,
      orders: z.array(purchase.extend({ cancelledAt: instant.optional() })),
      orderHeaders: z.array(
        order
          .pick({ _id: true, number: true, poNumber: true, contact: true, note: true, placedAt: true })
          .extend({ shipments: z.array(shipment) }),
      ),
      reviews: z.array(review),
      stockAlerts: z
        .array(
          z.object({ productId: z.uuid(), product: z.string(), since: instant, sentAt: instant.optional() }),
        )
        .describe("Products with a pending back-in-stock email, or with one that was sent recently."),
      cart: z.array(cartLine),
      addresses: z.array(address),
      savedLists: z.array(savedList),
      sessions: z.array(accountSession),
      passkeys: z.array(passkey),
      activity: z.array(accountEvent),
    }),
  }),
  closeUser: call("PUT /admin/users/{email}/closed", {
    access: "admin",
    stepUp: true,
    idempotency: "transaction",
    summary:
      "Closes another account and ends its sessions, or reopens it. An admin whose account is closed loses the role.",
    params: z.object({ email }),
    body: z.strictObject({ closed: z.boolean() }),
    output: modified,
  }),
  deleteAccount: call("DELETE /account/{email}", {
    access: "self",
    stepUp: true,
    idempotency: "resumable",
    summary:
      "Deletes your account. Unpaid orders are cancelled; the others are kept without your name. Refused, with every order kept, while a card payment is being processed or the payment provider does not respond.",
    params: z.object({ email }),
    output: deleted,
  }),
};
