import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import type { discrepancy, reconciliationReport } from "../../api/reconciliation-calls.ts";
import type { Store } from "../store.ts";
import { inTransaction } from "../transaction.ts";
import { compareWithProvider, providerClaims } from "./compare-provider.ts";
import { invariants } from "./invariants.ts";

export type Discrepancy = z.infer<typeof discrepancy>;
export type ReconciliationReport = z.infer<typeof reconciliationReport>;

export interface ReconcileOptions {
  days?: number;
  /** how long to wait before a discrepancy with the provider is checked again */
  recheckAfterMs?: number;
  /** throws its reason when it is aborted */
  signal?: AbortSignal | undefined;
}

const MAX_DISCREPANCIES = 100;

export async function reconcile(
  store: Store,
  { days = 30, recheckAfterMs = 3000, signal }: ReconcileOptions = {},
): Promise<ReconciliationReport> {
  const checkedAt = new Date().toISOString();
  const ownDiscrepancies = await checkInvariants(store, signal);
  const wait = () => pause(recheckAfterMs, undefined, signal && { signal });
  const providerDiscrepancies = await compareWithProvider(store, days, wait);
  return {
    checkedAt,
    claims: [...Object.keys(invariants), ...providerClaims],
    faults: [...ownDiscrepancies, ...providerDiscrepancies],
  };
}

interface DiscrepancyRow {
  detail: string;
  purchase_id: string | null;
  refund_id?: string;
}

/** Reads one snapshot, so that an order being placed is not read half-written. */
function checkInvariants(store: Store, signal: AbortSignal | undefined): Promise<Discrepancy[]> {
  return inTransaction(store, async ({ pool }) => {
    await pool.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // PostgreSQL qualifies the names in definitions only without a search path
    await pool.query("SET LOCAL search_path = ''");
    // reading whole tables may take longer than a request may
    await pool.query("SET LOCAL statement_timeout = '10min'; SET LOCAL transaction_timeout = 0");
    const discrepancies: Discrepancy[] = [];
    for (const [claim, sql] of Object.entries(invariants)) {
      signal?.throwIfAborted();
      const { rows } = await pool.query<DiscrepancyRow>(
        `SELECT * FROM (${sql}) AS discrepancy LIMIT ${MAX_DISCREPANCIES + 1}`,
        sql.includes("$1") ? [store.unpaidHoldHours] : [],
      );
      if (rows.length > MAX_DISCREPANCIES)
        rows[MAX_DISCREPANCIES] = { detail: "And there are more.", purchase_id: null };
      for (const row of rows) {
        discrepancies.push({
          claim,
          detail: row.detail,
          ...(row.purchase_id && { purchaseId: row.purchase_id }),
          ...(row.refund_id && { refundId: row.refund_id }),
        });
      }
    }
    return discrepancies;
  });
}
