import { z } from "zod";
import { call } from "./call.ts";
import { cursors, id, numeral, page, search } from "./fields.ts";

export const auditSubject = z.enum([
  "purchase",
  "product",
  "payment",
  "refund",
  "user",
  "synonym",
  "review",
  "note",
  "picture",
]);

/** One change in the audit log. Values are keyed by column name; money is in cents. */
const auditLogEntry = z.object({
  _id: z.uuid(),
  at: z.iso.datetime(),
  who: z
    .object({ name: z.string(), email: z.string() })
    .optional()
    .describe("Absent for the store itself and for deleted accounts."),
  role: z.enum(["user", "admin", "system"]),
  what: z.string(),
  subject: auditSubject,
  subjectId: z.string(),
  about: z.string().optional().describe("The name of the product, or the email of the user."),
  purchaseId: z.uuid().optional(),
  before: z.record(z.string(), z.unknown()).optional(),
  after: z.record(z.string(), z.unknown()).optional(),
  ip: z.string().optional(),
  agent: z.string().optional(),
});

export const discrepancy = z.object({
  claim: z.string(),
  detail: z.string(),
  purchaseId: z.uuid().optional(),
  refundId: z
    .uuid()
    .optional()
    .describe("A failed refund, which can be retried or recorded as a manual refund."),
});

export const reconciliationReport = z.object({
  checkedAt: z.iso.datetime(),
  claims: z.array(z.string()),
  faults: z.array(discrepancy),
});

export const reconciliationCalls = {
  listHistory: call("GET /history", {
    access: "admin",
    summary: "The audit log of orders, tools, payments, refunds and roles, newest first: search, paginate.",
    query: z.strictObject({
      q: search,
      subject: auditSubject.optional(),
      purchaseId: id.optional(),
      ...page,
    }),
    output: z.object({
      events: z.array(auditLogEntry),
      ...cursors,
    }),
  }),
  reconcile: call("GET /books", {
    access: "admin",
    summary:
      "Reconciles stock, purchases, payments and refunds, also with the payment provider's list. If that " +
      "takes longer than `wait`, returns the last report; repeat with `since` for the running one.",
    query: z.strictObject({
      since: z.iso
        .datetime()
        .optional()
        .describe("The `asked` of an earlier response. A report made since then is sufficient."),
      wait: numeral(z.number().int().min(0).max(10))
        .default(10)
        .describe(
          "Seconds that the response may wait for a new report. With 0 the last one is returned at once.",
        ),
    }),
    output: reconciliationReport.extend({
      asked: z.iso.datetime(),
      running: z
        .boolean()
        .describe("A newer report is not complete yet. `claims` is empty if there is no older one."),
    }),
  }),
};
