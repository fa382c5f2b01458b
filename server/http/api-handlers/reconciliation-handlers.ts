import type { booksCalls } from "../../../api/reconciliation-calls.ts";
import { listHistory } from "../../../shop/audit-log/list.ts";
import { lookAtBooks } from "../../../shop/reconciliation/run.ts";
import type { OperationsOf } from "./handlers.ts";

export const booksOperations: OperationsOf<typeof booksCalls> = {
  listHistory: ({ store }, { query }) => listHistory(store, query),
  checkBooks: ({ store }, { query: { since, wait } }) => lookAtBooks(store, { since, waitMs: wait * 1000 }),
};
