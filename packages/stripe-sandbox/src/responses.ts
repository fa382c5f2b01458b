/** `type` is card_error for a card, else invalid_request_error or idempotency_error. */
export interface ErrorBody {
  type: "card_error" | "invalid_request_error" | "idempotency_error" | "api_error";
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
}

/** `isCommitted`: the changes of the call are committed, and its response is replayed for the same idempotency key. */
export interface SandboxResponse {
  status: number;
  body: unknown;
  isCommitted: boolean;
}

export function done(body: unknown): SandboxResponse {
  return { status: 200, body, isCommitted: true };
}

/** The call changes nothing: invalid input, missing object, wrong state, wrong key. */
export function refused(
  status: number,
  error: Omit<ErrorBody, "type"> & { type?: ErrorBody["type"] },
): SandboxResponse {
  return {
    status,
    body: { error: withLink({ type: "invalid_request_error", ...error }) },
    isCommitted: false,
  };
}

export function declined(error: ErrorBody): SandboxResponse {
  return { status: 402, body: { error: withLink(error) }, isCommitted: true };
}

/** 404. `kind` is the object's name in the API, `param` the parameter that named it. */
export function missing(kind: string, id: string, param: string): SandboxResponse {
  return refused(404, { code: "resource_missing", message: `No such ${kind}: '${id.slice(0, 80)}'`, param });
}

export function wrongState(message: string, intent: unknown): SandboxResponse {
  return refused(400, { code: "payment_intent_unexpected_state", message, payment_intent: intent });
}

export function withLink<E extends { code?: string }>(error: E): E & { doc_url?: string } {
  if (!error.code) return error;
  return { ...error, doc_url: `https://stripe.com/docs/error-codes/${error.code.replaceAll("_", "-")}` };
}
