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
  findCustomer: ({ store }, { person, params, query }) => findCustomer(store, person, params.id, query.zone),
  listSavedViews: ({ store }, { person }) => listSavedViews(store, person),
  saveView: ({ store }, { person, body }) => saveView(store, person, body),
  deleteView: ({ store }, { person, params }) => deleteView(store, person, params.id),
  addCustomerNote: ({ store }, { person, params, body }) =>
    addCustomerNote(store, person, params.id, body.text),
  listOrderNotes: ({ store }, { person, params }) => listOrderNotes(store, person, params.id),
  addOrderNote: ({ store }, { person, params, body }) => addOrderNote(store, person, params.id, body.text),
  deleteNote: ({ store }, { person, params }) => deleteNote(store, person, params.id),
};
