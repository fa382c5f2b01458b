import type { reconciliationCalls } from "../../../api/reconciliation-calls.ts";
import { listAuditLog } from "../../../shop/audit-log/list.ts";
import { runReconciliation } from "../../../shop/reconciliation/run.ts";
import type { HandlersOf } from "./handlers.ts";

export const reconciliationHandlers: HandlersOf<typeof reconciliationCalls> = {
  listHistory: ({ store }, { query }) => listAuditLog(store, query),
  reconcile: ({ store }, { query: { since, wait } }) =>
    runReconciliation(store, { since, waitMs: wait * 1000 }),
};
