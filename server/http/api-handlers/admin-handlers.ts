import { searchUsers } from "../../../shop/accounts/search.ts";
import { searchActivity } from "../../../shop/accounts/security-events.ts";
import { listAuditLog } from "../../../shop/audit-log/list.ts";
import { addSynonym, deleteSynonym, listSynonyms } from "../../../shop/catalogue/synonyms.ts";
import { findCustomer } from "../../../shop/customers/find.ts";
import { addCustomerNote, addOrderNote, deleteNote, listOrderNotes } from "../../../shop/customers/notes.ts";
import { deleteView, listSavedViews, saveView } from "../../../shop/customers/saved-views.ts";
import { exportCustomers, searchCustomers } from "../../../shop/customers/search.ts";
import { exportDocuments } from "../../../shop/documents/export-documents.ts";
import { listFailedEmails, retryEmail } from "../../../shop/emails/failed-emails.ts";
import { redactSecretLinks } from "../../../shop/emails/redact-links.ts";
import {
  exportActivity,
  exportAuditLog,
  exportEmails,
  exportPickList,
  exportReconciliation,
  exportReviews,
  exportStock,
  exportStockLedger,
  exportSynonyms,
  exportUsers,
} from "../../../shop/exports/export-lists.ts";
import {
  exportImportRows,
  exportImports,
  exportProducts,
  exportRefusedRows,
} from "../../../shop/import/export.ts";
import { findImport, listImportRows, listImports } from "../../../shop/import/queries.ts";
import { applyImport, startBulkChange, startImport } from "../../../shop/import/start.ts";
import { undoImport } from "../../../shop/import/undo.ts";
import { exportPurchases } from "../../../shop/orders/export-purchases.ts";
import { searchPurchases } from "../../../shop/orders/search.ts";
import { addPicture } from "../../../shop/pictures/add.ts";
import { saveProductPictures } from "../../../shop/pictures/save-product-pictures.ts";
import { restoreProduct } from "../../../shop/products/delete.ts";
import { editProduct } from "../../../shop/products/edit.ts";
import { searchProducts } from "../../../shop/products/search.ts";
import { runReconciliation } from "../../../shop/reconciliation/run.ts";
import { refuse } from "../../../shop/refusal.ts";
import { readDashboard } from "../../../shop/reports/dashboard.ts";
import { hideReview } from "../../../shop/reviews/hide.ts";
import { searchReviews } from "../../../shop/reviews/search.ts";
import { changeStock, setReorderPoint } from "../../../shop/stock/change.ts";
import { findStock, listStock } from "../../../shop/stock/queries.ts";
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import type { Handlers } from "./handlers.ts";

export const adminHandlers = {
  searchPurchases: ({ store }, { query }) => searchPurchases(store, query),
  exportPurchases: ({ store }, { query }) => exportPurchases(store, query),
  searchProducts: ({ store }, { query }) => searchProducts(store, query),
  editProduct: ({ store }, { params, body }) => editProduct(store, params.id, body),
  restoreProduct: ({ store }, { params }) => restoreProduct(store, params.id),
  listSynonyms: ({ store }, { query }) => listSynonyms(store, query),
  addSynonym: ({ store }, { body }) => addSynonym(store, body),
  deleteSynonym: ({ store }, { params }) => deleteSynonym(store, params.id),
  searchUsers: ({ store }, { query }) => searchUsers(store, query),
  searchReviews: ({ store }, { query }) => searchReviews(store, query),
  hideReview: ({ store }, { params, body }) => hideReview(store, params.id, body.hidden),
  searchActivity: ({ store }, { query }) => searchActivity(store, query),
  overview: ({ store }, { query }) => readDashboard(store, query),
  listFailedEmails: ({ store }) => listFailedEmails(store),
  retryEmail: ({ store }, { params }) => retryEmail(store, params.job),
  listEmails: async ({ outbox }, { query }) => {
    if (!outbox) return refuse("missing", refusals.noOutbox);
    const { mails, ...page } = await outbox.list(query.limit, query.cursor);
    return { mails: mails.map(({ id, to, subject, sentAt }) => ({ id, to, subject, sentAt })), ...page };
  },
  findMail: async ({ outbox }, { params }) => {
    if (!outbox) return refuse("missing", refusals.noOutbox);
    const email = await outbox.find(params.id);
    return email ? redactSecretLinks(email) : refuse("missing", refusals.emailNotFound);
  },
  searchCustomers: ({ store }, { query }) => searchCustomers(store, query),
  exportCustomers: async ({ store }, { query }) => exportCustomers(store, query),
  findCustomer: ({ store }, { user, params, query }) => findCustomer(store, user, params.id, query.zone),
  listSavedViews: ({ store }, { user, query }) => listSavedViews(store, user, query.zone),
  saveView: ({ store }, { user, body }) => saveView(store, user, body),
  deleteView: ({ store }, { user, params }) => deleteView(store, user, params.id),
  addCustomerNote: ({ store }, { user, params, body }) => addCustomerNote(store, user, params.id, body.text),
  listOrderNotes: ({ store }, { user, params }) => listOrderNotes(store, user, params.id),
  addOrderNote: ({ store }, { user, params, body }) => addOrderNote(store, user, params.id, body.text),
  deleteNote: ({ store }, { user, params }) => deleteNote(store, user, params.id),
  exportImports: ({ store }, { query }) => exportImports(store, query),
  exportImportRows: ({ store }, { params, query }) => exportImportRows(store, params.id, query),
  exportReconciliation: ({ store }, { query }) => exportReconciliation(store, query),
  exportPickList: async ({ store }, { query }) => exportPickList(store, query),
  exportDocuments: ({ store }, { query }) => exportDocuments(store, query),
  exportStock: ({ store }, { query }) => exportStock(store, query),
  exportStockLedger: ({ store }, { params, query }) => exportStockLedger(store, params.id, query),
  exportUsers: ({ store }, { query }) => exportUsers(store, query),
  exportReviews: ({ store }, { query }) => exportReviews(store, query),
  exportSynonyms: ({ store }, { query }) => exportSynonyms(store, query),
  exportActivity: ({ store }, { query }) => exportActivity(store, query),
  exportAuditLog: ({ store }, { query }) => exportAuditLog(store, query),
  exportEmails: async ({ outbox }, { query }) =>
    outbox ? exportEmails(outbox, query) : refuse("missing", refusals.noOutbox),
  // a dry run changes nothing
  importProducts: async ({ store }, { user, body, authentication }) =>
    body.dryRun || authentication.fresh
      ? startImport(store, user, body)
      : refuse("forbidden", loginRefusals.confirmFirst, { code: "identity_not_confirmed" }),
  listImports: ({ store }) => listImports(store),
  findImport: ({ store }, { params }) => findImport(store, params.id),
  listImportRows: ({ store }, { params, query }) => listImportRows(store, params.id, query),
  applyImport: ({ store }, { user, params }) => applyImport(store, user, params.id),
  changeProducts: ({ store }, { user, body }) => startBulkChange(store, user, body),
  undoImport: ({ store }, { user, params }) => undoImport(store, user, params.id),
  exportRefusedRows: ({ store }, { params, query }) => exportRefusedRows(store, params.id, query),
  exportProducts: ({ store }, { query }) => exportProducts(store, query),
  addPicture: ({ store, encoder, pictures: storage }, { user, body }) =>
    addPicture(store, { encoder, storage }, user, body.file),
  saveProductPictures: ({ store }, { params, body }) => saveProductPictures(store, params.id, body),
  listHistory: ({ store }, { query }) => listAuditLog(store, query),
  reconcile: ({ store }, { query: { since, wait } }) =>
    runReconciliation(store, { since, waitMs: wait * 1000 }),
  listStock: ({ store }, { query }) => listStock(store, query),
  findStock: ({ store }, { params, query }) => findStock(store, params.id, query),
  changeStock: ({ store }, { user, params, body }) => changeStock(store, user, params.id, body),
  setReorderPoint: ({ store }, { params, body }) => setReorderPoint(store, params.id, body.reorderPoint),
} satisfies Partial<Handlers>;
