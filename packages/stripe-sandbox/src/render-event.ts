/** An event as the webhook receives it, with the object as it was when it changed. */
import { API_VERSION } from "./api-version.ts";
import { chargeJson } from "./render-charge.ts";
import { disputeJson } from "./render-dispute.ts";
import { intentJson } from "./render-intent.ts";
import { refundJson } from "./render-refund.ts";
import {
  type ChargeRow,
  type DisputeRow,
  type EventRow,
  type IntentRow,
  type RefundRow,
  seconds,
} from "./rows.ts";

export function eventJson(row: EventRow): object {
  return {
    id: row.id,
    object: "event",
    api_version: API_VERSION,
    created: seconds(row.created_at),
    data: { object: objectOf(row) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: row.type,
  };
}

function objectOf(row: EventRow): object {
  const snapshot: unknown = row.snapshot;
  if (row.type.startsWith("charge.dispute.")) return disputeJson(snapshot as DisputeRow);
  if (row.type.startsWith("charge.")) return chargeJson(snapshot as ChargeRow);
  if (row.type.startsWith("refund.")) return refundJson(snapshot as RefundRow);
  return intentJson(snapshot as IntentRow);
}
