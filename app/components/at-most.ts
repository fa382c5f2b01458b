import { refusals } from "../../shop/texts/refusals.ts";
import type { Rule } from "./use-fields.ts";

/** Apart from the other rules, which pages with a script budget load. */
export const atMost =
  (max: number): Rule =>
  (value) =>
    value.trim().length > max ? refusals.tooLong(max) : undefined;
