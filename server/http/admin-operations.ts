import type { adminCalls } from "../../api/admin-calls.ts";
import type { OperationsOf } from "./operations.ts";

export const adminOperations: OperationsOf<typeof adminCalls> = {};
