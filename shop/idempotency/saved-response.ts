const saved = new WeakSet<object>();

/** Marks a response that the operation saved under its idempotency key in the statement of its effect. */
export function savedResponse<Response extends object>(response: Response): Response {
  saved.add(response);
  return response;
}

export function isSavedResponse(response: unknown): boolean {
  return typeof response === "object" && response !== null && saved.has(response);
}
