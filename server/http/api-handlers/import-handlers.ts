import type { importCalls } from "../../../api/import-calls.ts";
import {
  exportProducts,
  exportRefusedRows,
  findImport,
  listImportRows,
  listImports,
} from "../../../shop/import/queries.ts";
import { applyImport, startBulkChange, startImport } from "../../../shop/import/start.ts";
import { undoImport } from "../../../shop/import/undo.ts";
import type { HandlersOf } from "./handlers.ts";

export const importHandlers: HandlersOf<typeof importCalls> = {
  importProducts: ({ store }, { person, body }) => startImport(store, person, body),
  listImports: ({ store }) => listImports(store),
  findImport: ({ store }, { params }) => findImport(store, params.id),
  listImportRows: ({ store }, { params, query }) => listImportRows(store, params.id, query),
  applyImport: ({ store }, { params }) => applyImport(store, params.id),
  changeProducts: ({ store }, { person, body }) => startBulkChange(store, person, body),
  undoImport: ({ store }, { person, params }) => undoImport(store, person, params.id),
  exportRefusedRows: ({ store }, { params }) => exportRefusedRows(store, params.id),
  exportProducts: ({ store }, { query }) => exportProducts(store, query),
};
