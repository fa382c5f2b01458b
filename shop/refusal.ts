/** An expected "no": returned, never thrown, with the reason in plain words. */
export type RefusalKind = "invalid" | "forbidden" | "missing" | "conflict" | "unavailable";

export interface Refusal {
  refused: RefusalKind;
  detail: string;
  /** what to mend, by the name of the input's member */
  fields?: Record<string, string>;
  /** the store's own values where the sender's were out of date, as the calls name them */
  current?: Record<string, number>;
  /** the record as it is now, where another change came first */
  present?: Record<string, unknown>;
}

/** A refusal; `more` names fields or current values. */
export function refuse(
  refused: RefusalKind,
  detail: string,
  more: Pick<Refusal, "fields" | "current" | "present"> = {},
): Refusal {
  return { refused, detail, ...more };
}

/** A refusal of one member of the input. */
export function refuseField(field: string, detail: string): Refusal {
  return { refused: "invalid", detail, fields: { [field]: detail } };
}

export function isRefusal(result: unknown): result is Refusal {
  return typeof result === "object" && result !== null && "refused" in result;
}
