/** Delivers signed events to the store's webhook at least once, also after the process was killed. */
import type { IncomingMessage } from "node:http";
import type pg from "pg";
import Stripe from "stripe";
import { eventJson } from "./render-event.ts";
import type { EventRow } from "./rows.ts";

const BATCH = 20;
const POST_TIMEOUT_MS = 10_000;
/** Keeps its connections open, and costs less than `fetch`. */
const client = Stripe.createNodeHttpClient();

/** Leased for 30 seconds, so that processes share the work; retried after 1, 2, 4 … 600 seconds, for three days. */
export async function deliverPendingEvents(
  pool: pg.Pool,
  url: string,
  secret: string,
  minimumAgeMs = 0,
): Promise<{ delivered: number; failed: number }> {
  const result = { delivered: 0, failed: 0 };
  for (
    let batch = await leaseEvents(pool, minimumAgeMs);
    batch.length;
    batch = await leaseEvents(pool, minimumAgeMs)
  ) {
    const delivered: string[] = [];
    await Promise.all(
      batch.map(async (event) => {
        const failure = await post(event, url, secret);
        if (failure === null) delivered.push(event.id);
        else await backOff(pool, event, failure);
      }),
    );
    if (delivered.length > 0) await markDelivered(pool, delivered);
    result.delivered += delivered.length;
    result.failed += batch.length - delivered.length;
  }
  return result;
}

async function leaseEvents(pool: pg.Pool, minimumAgeMs: number): Promise<EventRow[]> {
  const { rows } = await pool.query<EventRow>({
    name: "sandbox-take-events",
    text: `UPDATE sandbox.event SET attempts = attempts + 1, next_attempt_at = now() + interval '30 seconds'
     WHERE id IN (
       SELECT id FROM sandbox.event WHERE next_attempt_at <= now() - make_interval(secs => $2::float8 / 1000)
       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    values: [BATCH, minimumAgeMs],
  });
  return rows;
}

async function post(event: EventRow, url: string, secret: string): Promise<string | null> {
  const payload = JSON.stringify(eventJson(event));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(payload)),
    "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
  };
  try {
    const { hostname, port, pathname, protocol } = new URL(url);
    const scheme = protocol === "https:" ? "https" : "http";
    const response = await client.makeRequest(
      hostname.replace(/^\[|\]$/g, ""),
      port || (scheme === "https" ? "443" : "80"),
      pathname,
      "POST",
      headers,
      payload,
      scheme,
      POST_TIMEOUT_MS,
    );
    (response.getRawResponse() as IncomingMessage).resume();
    const status = response.getStatusCode();
    return status >= 200 && status < 300 ? null : `the webhook responded ${status}`;
  } catch (error) {
    // an unreachable webhook is expected; the delivery is retried and the reason stored
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

async function markDelivered(pool: pg.Pool, ids: string[]): Promise<void> {
  await pool.query({
    name: "sandbox-mark-delivered",
    text: "UPDATE sandbox.event SET delivered_at = now(), next_attempt_at = NULL, last_error = NULL WHERE id = ANY ($1)",
    values: [ids],
  });
}

async function backOff(pool: pg.Pool, event: EventRow, failure: string): Promise<void> {
  const wait = Math.min(2 ** (event.attempts - 1), 600);
  await pool.query(
    `UPDATE sandbox.event SET last_error = $2, next_attempt_at =
       CASE WHEN created_at > now() - interval '3 days' THEN now() + make_interval(secs => $3) END
     WHERE id = $1 AND delivered_at IS NULL`,
    [event.id, failure.slice(0, 500), wait],
  );
}
