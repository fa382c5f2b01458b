import type { catalogueCalls } from "../../api/catalogue-calls.ts";
import type { OperationsOf } from "./operations.ts";

export const catalogueOperations: OperationsOf<typeof catalogueCalls> = {};
