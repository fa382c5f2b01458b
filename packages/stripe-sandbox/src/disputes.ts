import type { Handler } from "./call.ts";
import { looksLikeId, newId } from "./identifiers.ts";
import type { Params, updateDisputeParams } from "./params.ts";
import { disputeJson } from "./render-dispute.ts";
import { done, missing, refused } from "./responses.ts";
import type { DisputeRow } from "./rows.ts";

/** `POST /disputes/:id`: `evidence[uncategorized_text]` of winning_evidence or losing_evidence closes it immediately. */
export const updateDispute: Handler<Params<typeof updateDisputeParams>> = async (
  { db, id },
  { evidence },
) => {
  if (!looksLikeId(id)) return missing("dispute", id, "id");
  const status = evidence.uncategorized_text === "winning_evidence" ? "won" : "lost";
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
  const existing = await db.query("SELECT FROM sandbox.dispute WHERE id = $1", [id]);
  if (existing.rowCount === 0) return missing("dispute", id, "id");
  return refused(400, { message: "This dispute is already closed." });
};
