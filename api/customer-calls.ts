import { z } from "zod";
import { customerRefusals } from "../shop/texts/customer-refusals.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { address } from "./address-calls.ts";
import { timeZone } from "./admin-calls.ts";
import { call } from "./call.ts";
import { order, review } from "./entities.ts";
import { byId, count, cursors, deleted, exportQuery, line, page, prose, search } from "./fields.ts";
import { orderId } from "./order-calls.ts";

const customer = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  orders: count,
  revenue: z.number().describe("In dollars: what was paid, less refunds."),
  lastOrderAt: z.iso.datetime().optional(),
  closed: z.literal(true).optional(),
});

const note = z.object({
  _id: z.uuid(),
  text: z.string(),
  author: z.string(),
  mine: z.boolean().describe("Whether the caller wrote it, and may delete it."),
  writtenAt: z.iso.datetime(),
});

export type Customer = z.infer<typeof customer>;
export type Note = z.infer<typeof note>;

const customerSearch = {
  q: search,
  filter: z
    .enum(["quiet", "closed"])
    .optional()
    .describe("`quiet`: without an order for 90 days; `closed`: with a closed account."),
  sort: z.enum(["recent", "name", "orders", "revenue"]).default("recent"),
};

const savedView = z.object({
  _id: z.uuid(),
  name: z.string(),
  query: z.string(),
  count: count
    .optional()
    .describe(
      "The number of order lines that it finds, up to the list's `countLimit`. Absent if its filters are invalid.",
    ),
});

export type SavedView = z.infer<typeof savedView>;

const viewForm = z.strictObject({
  name: line(40, customerRefusals.viewNameRequired),
  query: z
    .string()
    .max(1000, refusals.tooLong(1000))
    .regex(/^[\w.~%&=+*-]*$/, customerRefusals.badView)
    .describe("The query of Manage All Orders, such as `status=paid&sort=waiting`."),
  zone: timeZone.describe("Of the days of the query, for `count`."),
});

const noteForm = z.strictObject({ text: prose(2000, customerRefusals.noteRequired) });
export const customerCalls = {
  searchCustomers: call("GET /admin/customers", {
    access: "admin",
    summary:
      "Customers with their orders, revenue and last order: search, filter, sort, paginate. `q` is words of the name or " +
      "email, or an order or PO number.",
    query: z.strictObject({
      ...customerSearch,
      ...page,
    }),
    output: z.object({
      customers: z.array(customer),
      counts: z
        .object({ all: count, quiet: count, closed: count })
        .describe("The number of matches of the search, regardless of the filter."),
      countLimit: count.optional().describe("With `q`, a count that reaches this may stand for more."),
      ...cursors,
    }),
  }),
  exportCustomers: call("GET /admin/customers/export.csv", {
    access: "admin",
    acceptsSession: true,
    csv: "customers",
    summary:
      "The customers that `GET /admin/customers` finds with the same filters, as CSV: name, email, orders, revenue, " +
      "last_order_at, customer_since, closed_at. A cell that begins like a formula has a leading apostrophe. " +
      "`bom=true` begins with a byte order mark, for Excel.",
    query: exportQuery(customerSearch),
    output: z.string(),
  }),
  findCustomer: call("GET /admin/customers/{id}", {
    access: "admin",
    summary:
      "One customer: figures, revenue of the last twelve months, the latest orders, addresses, reviews and notes.",
    params: byId,
    query: z.strictObject({ zone: timeZone }),
    output: customer.extend({
      role: z.enum(["admin", "user"]),
      emailVerified: z.boolean(),
      phone: z.string().optional(),
      location: z.string().optional(),
      since: z.iso.datetime(),
      unpaid: z.object({ orders: count, due: z.number() }),
      ordersToShip: count,
      refunded: z.number(),
      months: z
        .array(z.object({ start: z.iso.date(), revenue: z.number(), orders: count }))
        .describe("The last twelve calendar months, oldest first. `start` is the first day."),
      latestOrders: z.array(order),
      addresses: z.array(address),
      reviews: z.array(review.extend({ writtenAt: z.iso.datetime(), hidden: z.boolean() })),
      notes: z.array(note),
    }),
  }),
  listSavedViews: call("GET /admin/saved-views", {
    access: "admin",
    summary:
      "Your saved views of Manage All Orders, by name, with the number of order lines that each finds, up to `countLimit`.",
    query: z.strictObject({ zone: timeZone.describe("Of the days of their filters.") }),
    output: z.object({ views: z.array(savedView), countLimit: count }),
  }),
  saveView: call("POST /admin/saved-views", {
    access: "admin",
    idempotency: "transaction",
    summary: "Saves a view under a name, in place of one that has it. At most 50.",
    body: viewForm,
    output: savedView,
  }),
  deleteView: call("DELETE /admin/saved-views/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary: "Deletes one of your saved views.",
    params: byId,
    output: deleted,
  }),
  addCustomerNote: call("POST /admin/customers/{id}/notes", {
    access: "admin",
    idempotency: "transaction",
    summary: "Adds a note about a customer, which only admins see.",
    params: byId,
    body: noteForm,
    output: note,
  }),
  listOrderNotes: call("GET /admin/orders/{id}/notes", {
    access: "admin",
    summary:
      "The notes about an order, newest first, by its id or number, or by the id of one of its purchases.",
    params: z.object({ id: orderId }),
    output: z.object({ customerId: z.uuid(), notes: z.array(note) }),
  }),
  addOrderNote: call("POST /admin/orders/{id}/notes", {
    access: "admin",
    idempotency: "transaction",
    summary: "Adds a note about an order, which only admins see.",
    params: z.object({ id: orderId }),
    body: noteForm,
    output: note,
  }),
  deleteNote: call("DELETE /admin/notes/{id}", {
    access: "admin",
    idempotency: "transaction",
    summary: "Deletes a note that you wrote.",
    params: byId,
    output: deleted,
  }),
};
