import type { orderCalls } from "../../api/order-calls.ts";
import type { OperationsOf } from "./operations.ts";

export const orderOperations: OperationsOf<typeof orderCalls> = {};
