import type { orderCalls } from "../../api/order-calls.ts";
import { findOrder } from "../../shop/purchases/queries.ts";
import type { OperationsOf } from "./operations.ts";

export const orderOperations: OperationsOf<typeof orderCalls> = {
  findOrder: ({ store }, { person, params }) => findOrder(store, params.id, person),
};
