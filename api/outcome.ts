import type { Problem } from "./entities.ts";

/** The outcome of a call for a page: made over HTTP by the browser, or by a loader on the server. */
export type Outcome<Value> = { ok: true; data: Value } | ({ ok: false } & Failure);

export function withReference(detail: string, requestId: string): string {
  return `${detail} Reference: ${requestId}`;
}

/** `detail` is shown to the user; status 0: no connection. */
export interface Failure extends Omit<Problem, "type" | "title" | "requestId" | "traceId"> {
  /** seconds until a retry with this idempotency key, when the first call may have ended */
  retryAfter?: number;
}
