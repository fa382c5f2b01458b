/** What was typed for a change of many products, as the API takes it. */
import type { BulkChange, BulkField } from "../../../../api/import-calls.ts";
import { refusals } from "../../../../shop/texts/refusals.ts";
import { readNumber } from "../read-number.ts";

/** Whether the field can only be set, not raised or lowered. */
export const isSetOnly = (field: BulkField) => field === "category" || field === "archived";

export const methods = {
  up: "up by percent",
  down: "down by percent",
  add: "up by",
  subtract: "down by",
  set: "set to",
} as const;
export type Method = keyof typeof methods;

/**
 * The change, or a message about what was typed. The method has the direction and the unit: "-5" would be raised by
 * "down by percent", and "5%" would be five dollars.
 */
export function toBulkChange(
  method: Method,
  input: string,
  field: BulkField,
): Pick<BulkChange, "how" | "value"> | string {
  if (isSetOnly(field)) return { how: "set", value: input };
  const isPercent = method === "up" || method === "down";
  const value = readNumber(isPercent ? input.replace(/\s*%$/, "") : input);
  if (value === undefined) return refusals.numberRequired;
  if (Number.isNaN(value)) return refusals.plainNumber;
  if (method === "set") return { how: "set", value };
  if (value < 0) return refusals.atLeast(0);
  const isDown = method === "down" || method === "subtract";
  return { how: isPercent ? "percent" : "amount", value: isDown ? -value : value };
}
