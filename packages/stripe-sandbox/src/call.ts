import type { Caller } from "./access.ts";
import type { Form } from "./form.ts";
import type { Db } from "./idempotency.ts";
import { intentJson, openIntentJson } from "./render-intent.ts";
import type { SandboxResponse } from "./responses.ts";
import type { IntentRow } from "./rows.ts";

/** `id` is from the path; `db` of a writing call is its transaction. */
export interface Call {
  db: Db;
  caller: Caller;
  form: Form;
  id: string;
}

export type Run = (call: Call) => Promise<SandboxResponse>;

export function intentFor(caller: Caller, row: IntentRow): object {
  return caller === "secret" ? intentJson(row) : openIntentJson(row);
}
