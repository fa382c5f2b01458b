import { refusals } from "../../shop/texts/refusals.ts";

/** A rule of a field. Not in `form-rules.ts`, which is part of the script of public pages. */
export const atMost = (max: number) => (value: string) =>
  value.trim().length > max ? refusals.tooLong(max) : undefined;
