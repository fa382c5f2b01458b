import type { Problem } from "./entities.ts";

/** What a call of the contract came to, for a page: made over HTTP by the browser, or by a loader on the server. */
export type Outcome<Value> =
  | { ok: true; data: Value /** the cursor of the next page of a list */; next?: string }
  | ({ ok: false } & Failure);

/** Why a call failed: `detail` for the person, `fields` by member of the input; status 0 = no connection. */
export interface Failure {
  status: number;
  detail: string;
  fields?: Problem["fields"];
  current?: Problem["current"];
  /** the record as it is now, where another change came first */
  present?: Problem["present"];
  /** of an order, one for each line that was refused */
  lines?: Problem["lines"];
  /** seconds after which it is worth asking again under this key: the first call may have ended by then */
  retryAfter?: number;
}
