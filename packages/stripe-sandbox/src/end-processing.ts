import { cardByToken } from "./cards.ts";
import type { Db } from "./idempotency.ts";
import { readMethod } from "./methods.ts";
import { declineIntent, payIntent, type Step } from "./transitions.ts";

/** Decides payments that have been processing for `seconds`, each once. Returns their number. */
export async function endProcessing(db: Db, seconds: number): Promise<number> {
  const { rows } = await db.query<{ id: string; payment_method_id: string }>(
    `SELECT id, payment_method_id FROM sandbox.payment_intent
     WHERE status = 'processing' AND processing_at <= now() - make_interval(secs => $1)`,
    [seconds],
  );
  let ended = 0;
  for (const { id, payment_method_id } of rows) {
    const method = await readMethod(db, payment_method_id);
    if (!method) throw new Error(`the processing payment ${id} has no method`);
    const step: Step = { intentId: id, method, from: ["processing"] };
    const decline = cardByToken(method.token)?.decline;
    const updated = decline ? await declineIntent(db, step, decline) : await payIntent(db, step);
    if (updated) ended += 1;
  }
  return ended;
}
