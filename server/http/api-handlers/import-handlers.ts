import type { importCalls } from "../../../api/import-calls.ts";
import { exportProducts, exportRefusedRows } from "../../../shop/import/export.ts";
import { findImport, listImportRows, listImports } from "../../../shop/import/queries.ts";
import { applyImport, startBulkChange, startImport } from "../../../shop/import/start.ts";
import { undoImport } from "../../../shop/import/undo.ts";
import { refuse } from "../../../shop/refusal.ts";
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import type { HandlersOf } from "./handlers.ts";

export const importHandlers: HandlersOf<typeof importCalls> = {
  // a dry run changes nothing
  importProducts: async ({ store }, { user, body, proof }) =>
    body.dryRun || proof.fresh
      ? startImport(store, user, body)
      : refuse("forbidden", loginRefusals.confirmFirst),
  listImports: ({ store }) => listImports(store),
  findImport: ({ store }, { params }) => findImport(store, params.id),
  listImportRows: ({ store }, { params, query }) => listImportRows(store, params.id, query),
  applyImport: ({ store }, { user, params }) => applyImport(store, user, params.id),
  changeProducts: ({ store }, { user, body }) => startBulkChange(store, user, body),
  undoImport: ({ store }, { user, params }) => undoImport(store, user, params.id),
  exportRefusedRows: ({ store }, { params, query }) => exportRefusedRows(store, params.id, query),
  exportProducts: ({ store }, { query }) => exportProducts(store, query),
};
