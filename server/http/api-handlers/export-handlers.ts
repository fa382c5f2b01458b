import type { exportCalls } from "../../../api/export-calls.ts";
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
import { exportImportRows, exportImports } from "../../../shop/import/export.ts";
import { refuse } from "../../../shop/refusal.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import type { HandlersOf } from "./handlers.ts";

export const exportHandlers: HandlersOf<typeof exportCalls> = {
  exportImports: ({ store }, { query }) => exportImports(store, query),
  exportImportRows: ({ store }, { params, query }) => exportImportRows(store, params.id, query),
  exportReconciliation: ({ store }, { query }) => exportReconciliation(store, query),
  exportPickList: async ({ store }, { query }) => exportPickList(store, query),
  exportStock: ({ store }, { query }) => exportStock(store, query),
  exportStockLedger: ({ store }, { params, query }) => exportStockLedger(store, params.id, query),
  exportUsers: ({ store }, { query }) => exportUsers(store, query),
  exportReviews: ({ store }, { query }) => exportReviews(store, query),
  exportSynonyms: ({ store }, { query }) => exportSynonyms(store, query),
  exportActivity: ({ store }, { query }) => exportActivity(store, query),
  exportAuditLog: ({ store }, { query }) => exportAuditLog(store, query),
  exportEmails: async ({ outbox }, { query }) =>
    outbox ? exportEmails(outbox, query) : refuse("missing", refusals.noOutbox),
};
