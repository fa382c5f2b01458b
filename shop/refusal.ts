/** An expected failure: returned, never thrown, with its reason. */
export type RefusalKind = "invalid" | "forbidden" | "missing" | "conflict" | "unavailable";

export interface LineProblem {
  index: number;
  code: string;
  detail: string;
  price?: number;
  minimum?: number;
  multiple?: number;
  stock?: number;
}

export interface Refusal {
  refused: RefusalKind;
  detail: string;
  fields?: Record<string, string>;
  /** the store's values if the sender's were outdated, by the calls' names */
  current?: Record<string, number>;
  /** the current record, if it was changed by another request first */
  present?: Record<string, unknown>;
  lines?: LineProblem[];
}

/** `more` names fields or current values. */
export function refuse(
  refused: RefusalKind,
  detail: string,
  more: Pick<Refusal, "fields" | "current" | "present" | "lines"> = {},
): Refusal {
  return { refused, detail, ...more };
}

export function refuseField(field: string, detail: string): Refusal {
  return { refused: "invalid", detail, fields: { [field]: detail } };
}

export function isRefusal(result: unknown): result is Refusal {
  // the result of an import counts its refused rows
  return typeof (result as Partial<Refusal> | null | undefined)?.refused === "string";
}
