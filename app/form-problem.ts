import type { z } from "zod";

/** For a form's `validate`: the message of the contract's own rule for this value, or true. */
export function problemOf(rule: z.ZodType, value: unknown): string | true {
  return rule.safeParse(value).error?.issues[0]?.message ?? true;
}
