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
  findStockAlert: ({ store }, { person, params }) => findStockAlert(store, person, params.id),
  addStockAlert: ({ store }, { person, params }) => addStockAlert(store, person, params.id),
  removeStockAlert: ({ store }, { person, params }) => removeStockAlert(store, person, params.id),
  askForStockAlert: ({ store }, { params, body }) => askForStockAlert(store, params.id, body.email),
  suggestTools: ({ store }, { query }) => suggestProducts(store, query.q),
};
