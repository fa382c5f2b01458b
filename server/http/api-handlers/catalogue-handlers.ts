import type { catalogueCalls } from "../../../api/catalogue-calls.ts";
import { searchCatalogue, suggestProducts } from "../../../shop/catalogue/search.ts";
import { findPrice } from "../../../shop/pricing/find-price.ts";
import {
  addStockAlert,
  askForStockAlert,
  findStockAlert,
  removeStockAlert,
} from "../../../shop/products/stock-alert.ts";
import type { HandlersOf } from "./handlers.ts";

export const catalogueHandlers: HandlersOf<typeof catalogueCalls> = {
  searchCatalogue: ({ store }, { query }) => searchCatalogue(store, query),
  findPrice: ({ store }, { params, query }) => findPrice(store, params.id, query.quantity),
  findStockAlert: ({ store }, { user, params }) => findStockAlert(store, user, params.id),
  addStockAlert: ({ store }, { user, params }) => addStockAlert(store, user, params.id),
  removeStockAlert: ({ store }, { user, params }) => removeStockAlert(store, user, params.id),
  askForStockAlert: ({ store }, { params, body }) => askForStockAlert(store, params.id, body.email),
  suggestTools: ({ store }, { query }) => suggestProducts(store, query.q),
};
