import type { accountCalls } from "../../api/account-calls.ts";
import type { OperationsOf } from "./operations.ts";

export const accountOperations: OperationsOf<typeof accountCalls> = {};
