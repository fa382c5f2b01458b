import type { adminCalls } from "../../api/admin-calls.ts";
import { editProduct } from "../../shop/products/edit.ts";
import { searchProducts } from "../../shop/products/search.ts";
import { searchOrders } from "../../shop/purchases/search.ts";
import { searchUsers } from "../../shop/users/search.ts";
import type { OperationsOf } from "./operations.ts";

export const adminOperations: OperationsOf<typeof adminCalls> = {
  searchOrders: ({ store }, { query }) => searchOrders(store, query),
  searchProducts: ({ store }, { query }) => searchProducts(store, query),
  editProduct: ({ store }, { params, body }) => editProduct(store, params.id, body),
  searchUsers: ({ store }, { query }) => searchUsers(store, query),
};
