import type { catalogueCalls } from "../../api/catalogue-calls.ts";
import { searchCatalogue } from "../../shop/catalogue/search.ts";
import type { OperationsOf } from "./operations.ts";

export const catalogueOperations: OperationsOf<typeof catalogueCalls> = {
  searchCatalogue: ({ store }, { query }) => searchCatalogue(store, query),
};
