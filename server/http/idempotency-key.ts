import { type Refusal, refuseField } from "../../shop/refusal.ts";
import { refusals } from "../../shop/texts/refusals.ts";

/** Null without a header, a refusal if the value is invalid. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null | Refusal {
  if (header === undefined) return null;
  const isKey = typeof header === "string" && /^[\x21-\x7e]{1,255}$/.test(header);
  return isKey ? header : refuseField("Idempotency-Key", refusals.badRequestKey);
}
