import { isInvalidParameter } from "../database/pg-errors.ts";
import { type Refusal, refuseField } from "./refusal.ts";
import { refusals } from "./texts/refusals.ts";

/** For errors of a query by time zone: only PostgreSQL knows which zones exist. */
export function refuseBadZone(error: unknown): Refusal {
  if (isInvalidParameter(error)) return refuseField("zone", refusals.badZone);
  throw error;
}
