import type { catalogueCalls } from "../../../api/catalogue-calls.ts";
import { searchCatalogue, suggestTools } from "../../../shop/catalogue/search.ts";
import {
  addStockAlert,
  askForStockAlert,
  findStockAlert,
  removeStockAlert,
} from "../../../shop/products/stock-alert.ts";
import type { OperationsOf } from "./handlers.ts";

export const catalogueOperations: OperationsOf<typeof catalogueCalls> = {
  searchCatalogue: ({ store }, { query }) => searchCatalogue(store, query),
  findStockAlert: ({ store }, { person, params }) => findStockAlert(store, person, params.id),
  addStockAlert: ({ store }, { person, params }) => addStockAlert(store, person, params.id),
  removeStockAlert: ({ store }, { person, params }) => removeStockAlert(store, person, params.id),
  askForStockAlert: ({ store }, { params, body }) => askForStockAlert(store, params.id, body.email),
  suggestTools: ({ store }, { query }) => suggestTools(store, query.q),
};
