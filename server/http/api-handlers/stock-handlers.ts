import type { stockCalls } from "../../../api/stock-calls.ts";
import { changeStock, setReorderPoint } from "../../../shop/stock/change.ts";
import { findStock, listStock } from "../../../shop/stock/queries.ts";
import type { HandlersOf } from "./handlers.ts";

export const stockHandlers: HandlersOf<typeof stockCalls> = {
  listStock: ({ store }, { query }) => listStock(store, query),
  findStock: ({ store }, { params, query }) => findStock(store, params.id, query),
  changeStock: ({ store }, { user, params, body }) => changeStock(store, user, params.id, body),
  setReorderPoint: ({ store }, { params, body }) => setReorderPoint(store, params.id, body.reorderPoint),
};
