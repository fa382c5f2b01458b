import type { CallName, Output } from "../api/contract.ts";
import type { Problem } from "../api/entities.ts";

/** An expected failure: returned, never thrown, with its reason. */
export type RefusalKind = "invalid" | "forbidden" | "missing" | "conflict" | "unavailable";

/** `fields`: by the names of the input; `current`: the store's values if the sender's were outdated. */
export type RefusalDetails = Pick<Problem, "code" | "fields" | "current" | "present" | "lines">;

export interface Refusal extends RefusalDetails {
  refused: RefusalKind;
  detail: string;
}

/** Of an operation: the output of its call, or why it is refused. */
export type Result<Name extends CallName> = Promise<Output<Name> | Refusal>;

export function refuse(refused: RefusalKind, detail: string, more: RefusalDetails = {}): Refusal {
  return { refused, detail, ...more };
}

export function refuseField(field: string, detail: string): Refusal {
  return { refused: "invalid", detail, fields: { [field]: detail } };
}

export function isRefusal(result: unknown): result is Refusal {
  // the result of an import counts its refused rows
  return typeof (result as Partial<Refusal> | null | undefined)?.refused === "string";
}
