/** Disputes, and Stripe's two test values for evidence, which decide them. */

import type { Run } from "./call.ts";
import { readIntent } from "./find-intent.ts";
import { looksLikeId, newId } from "./identifiers.ts";
import { pageOf } from "./paging.ts";
import { findDisputeParams, listDisputesParams, updateDisputeParams } from "./params.ts";
import { readParams } from "./read.ts";
import { disputeJson } from "./render-dispute.ts";
import { done, missing, refused } from "./responses.ts";
import type { DisputeRow } from "./rows.ts";

/** `GET /disputes`, all or of one `payment_intent`, newest first. */
export const listDisputes: Run = async ({ db, form }) => {
  const read = readParams(listDisputesParams, form);
  if ("refusal" in read) return read.refusal;
  const { payment_intent: intentId } = read.value;
  if (intentId !== undefined && !(await readIntent(db, intentId))) {
    return missing("payment_intent", intentId, "payment_intent");
  }
  const page = await pageOf<DisputeRow>(db, "dispute", read.value);
  if (!page) return missing("dispute", read.value.starting_after ?? "", "starting_after");
  return done({ object: "list", data: page.rows.map(disputeJson), has_more: page.more, url: "/v1/disputes" });
};

/** `GET /disputes/:id`. */
export const findDispute: Run = async ({ db, form, id }) => {
  const read = readParams(findDisputeParams, form);
  if ("refusal" in read) return read.refusal;
  if (!looksLikeId(id)) return missing("dispute", id, "id");
  const { rows } = await db.query<DisputeRow>("SELECT * FROM sandbox.dispute WHERE id = $1", [id]);
  return rows[0] ? done(disputeJson(rows[0])) : missing("dispute", id, "id");
};

/** `POST /disputes/:id` with `evidence[uncategorized_text]` winning_evidence or losing_evidence decides at once. */
export const updateDispute: Run = async (call) => {
  const { db, form, id } = call;
  const read = readParams(updateDisputeParams, form);
  if ("refusal" in read) return read.refusal;
  if (!looksLikeId(id)) return missing("dispute", id, "id");
  const status = read.value.evidence.uncategorized_text === "winning_evidence" ? "won" : "lost";
  const { rows } = await db.query<DisputeRow>(
    `WITH changed AS (
       UPDATE sandbox.dispute SET status = $2 WHERE id = $1 AND status = 'needs_response' RETURNING *),
     recorded AS (
       INSERT INTO sandbox.event (id, type, snapshot)
       SELECT $3, 'charge.dispute.closed', to_jsonb(changed) FROM changed)
     SELECT * FROM changed`,
    [id, status, newId("evt")],
  );
  if (rows[0]) return done(disputeJson(rows[0]));
  const known = await db.query("SELECT FROM sandbox.dispute WHERE id = $1", [id]);
  if (known.rowCount === 0) return missing("dispute", id, "id");
  return refused(400, { message: "This dispute is already closed." });
};
