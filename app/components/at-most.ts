import { refusals } from "../../shop/texts/refusals.ts";
import type { Rule } from "./use-fields.ts";

/** Not in `form-rules.ts`, which is part of the script of public pages. */
export const atMost =
  (max: number): Rule =>
  (value) =>
    value.trim().length > max ? refusals.tooLong(max) : undefined;
