/** Admin tables as CSV. The exports of orders, customers and products are declared with their lists. */
import { z } from "zod";
import { call } from "./call.ts";
import { byId, exportQuery, id, search } from "./fields.ts";
import { importStatuses } from "./import-calls.ts";
import { day, orderNumbers } from "./order-calls.ts";
import { auditSubject } from "./reconciliation-calls.ts";

function exportOf<Query extends z.ZodType, Params extends z.ZodType = z.ZodUndefined>(
  list: `/${string}`,
  { csv, columns, query, params }: { csv: string; columns: string; query: Query; params?: Params },
) {
  return call<"admin", z.ZodString, Params, Query>(`GET ${list}/export.csv`, {
    access: "admin",
    acceptsSession: true,
    csv,
    summary:
      `What \`GET ${list}\` finds with the same filters, on all its pages, as CSV: ${columns}. Times are ISO 8601 in UTC; ` +
      "a cell that begins like a formula has a leading apostrophe. `bom=true` begins with a byte order mark, for Excel.",
    ...(params && { params }),
    query,
    output: z.string(),
  });
}

export const exportCalls = {
  exportImports: exportOf("/admin/imports", {
    csv: "imports",
    columns:
      "started_at, finished_at, by, kind, file, dry_run, state, undone, rows, changed, created, unchanged, refused, problem",
    query: exportQuery({}),
  }),
  exportImportRows: exportOf("/admin/imports/{id}/rows", {
    csv: "import-rows",
    columns:
      "row, result, item_number, tool, reason; and for each other column of an import, such as price, price_was and price_is",
    params: byId,
    query: exportQuery({ status: z.enum(importStatuses).optional() }),
  }),
  exportReconciliation: exportOf("/books", {
    csv: "reconciliation",
    columns: "checked_at, check, passed, discrepancy, purchase_id, refund_id; of the last report",
    query: exportQuery({}),
  }),
  exportPickList: exportOf("/pick-list", {
    csv: "pick-list",
    columns: "item_number, product, pieces, order_number, buyer, disputed",
    query: exportQuery({ orders: orderNumbers.optional() }),
  }),
  exportDocuments: call("GET /admin/documents/export.csv", {
    access: "admin",
    acceptsSession: true,
    csv: "invoices",
    summary:
      "The invoices that were issued on these days in UTC, which are the dates on them, and then the credit notes, as CSV: " +
      "issued_at, document, for_invoice, order_number, po_number, buyer, email, invoiced, credited, payment_id, mode. " +
      "Times are ISO 8601 in UTC, amounts dollars; a cell that begins like a formula has a leading apostrophe. `bom=true` begins with a byte order mark, for Excel.",
    query: exportQuery({ from: day.optional(), to: day.optional() }),
    output: z.string(),
  }),
  exportStock: exportOf("/admin/stock", {
    csv: "stock",
    columns: "item_number, product, quantity, reorder_point, promised",
    query: exportQuery({ q: search, low: z.literal("1").optional() }),
  }),
  exportStockLedger: exportOf("/admin/products/{id}/stock", {
    csv: "ledger",
    columns: "at, kind, pieces, quantity, reason, by, order_number",
    params: byId,
    query: exportQuery({}),
  }),
  exportUsers: exportOf("/admin/users", {
    csv: "users",
    columns: "email, name, role, email_verified, closed",
    query: exportQuery({ q: search, role: z.enum(["admin", "user"]).optional() }),
  }),
  exportReviews: exportOf("/admin/reviews", {
    csv: "reviews",
    columns: "written_at, name, email, rating, description, hidden",
    query: exportQuery({ q: search, hidden: z.literal("1").optional() }),
  }),
  exportSynonyms: exportOf("/admin/synonyms", {
    csv: "synonyms",
    columns: "term, same_as",
    query: exportQuery({ q: search }),
  }),
  exportActivity: exportOf("/admin/activity", {
    csv: "activity",
    columns: "at, name, email, what, detail, by, ip, agent",
    query: exportQuery({ q: search, kind: z.literal("refused").optional() }),
  }),
  exportAuditLog: exportOf("/history", {
    csv: "audit-log",
    columns:
      "at, name, email, role, what, subject, subject_id, about, purchase_id, before, after, ip, agent; before and after are JSON",
    query: exportQuery({ q: search, subject: auditSubject.optional(), purchaseId: id.optional() }),
  }),
  exportEmails: exportOf("/outbox", {
    csv: "emails",
    columns: "sent_at, to, subject",
    query: exportQuery({}),
  }),
};
