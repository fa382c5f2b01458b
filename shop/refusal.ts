/** An expected "no": returned, never thrown, with the reason in plain words. */
export type RefusalKind = "invalid" | "forbidden" | "missing" | "conflict" | "unavailable";

/** Why one line of an order is refused, with the values that would be right. */
export interface LineProblem {
  index: number;
  code: string;
  detail: string;
  /** dollars each */
  price?: number;
  minimum?: number;
  multiple?: number;
  stock?: number;
}

export interface Refusal {
  refused: RefusalKind;
  detail: string;
  /** what is wrong, by the name of the field */
  fields?: Record<string, string>;
  /** the store's own values where the sender's were out of date, as the calls name them */
  current?: Record<string, number>;
  /** the record as it is now, where another change came first */
  present?: Record<string, unknown>;
  /** of an order, one for each line that is refused */
  lines?: LineProblem[];
}

/** A refusal; `more` names fields or current values. */
export function refuse(
  refused: RefusalKind,
  detail: string,
  more: Pick<Refusal, "fields" | "current" | "present" | "lines"> = {},
): Refusal {
  return { refused, detail, ...more };
}

/** A refusal of one member of the input. */
export function refuseField(field: string, detail: string): Refusal {
  return { refused: "invalid", detail, fields: { [field]: detail } };
}

export function isRefusal(result: unknown): result is Refusal {
  // the result of an import counts its refused rows
  return typeof (result as Partial<Refusal> | null | undefined)?.refused === "string";
}
