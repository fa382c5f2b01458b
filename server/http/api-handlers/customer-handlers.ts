import type { customerCalls } from "../../../api/customer-calls.ts";
import { exportCustomers } from "../../../shop/customers/export.ts";
import { findCustomer } from "../../../shop/customers/find.ts";
import { addCustomerNote, addOrderNote, deleteNote, listOrderNotes } from "../../../shop/customers/notes.ts";
import { deleteView, listSavedViews, saveView } from "../../../shop/customers/saved-views.ts";
import { searchCustomers } from "../../../shop/customers/search.ts";
import type { HandlersOf } from "./handlers.ts";

export const customerHandlers: HandlersOf<typeof customerCalls> = {
  searchCustomers: ({ store }, { query }) => searchCustomers(store, query),
  exportCustomers: async ({ store }, { query }) => exportCustomers(store, query),
  findCustomer: ({ store }, { user, params, query }) => findCustomer(store, user, params.id, query.zone),
  listSavedViews: ({ store }, { user }) => listSavedViews(store, user),
  saveView: ({ store }, { user, body }) => saveView(store, user, body),
  deleteView: ({ store }, { user, params }) => deleteView(store, user, params.id),
  addCustomerNote: ({ store }, { user, params, body }) => addCustomerNote(store, user, params.id, body.text),
  listOrderNotes: ({ store }, { user, params }) => listOrderNotes(store, user, params.id),
  addOrderNote: ({ store }, { user, params, body }) => addOrderNote(store, user, params.id, body.text),
  deleteNote: ({ store }, { user, params }) => deleteNote(store, user, params.id),
};
