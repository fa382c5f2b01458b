import { z } from "zod";
import { refusals } from "../shop/texts/refusals.ts";
import { line } from "./fields.ts";

const profileField = line(300, refusals.required).optional();

/** Exactly one of the four fields (specification, section 5). */
export const profileForm = z
  .object({ education: profileField, location: profileField, phone: profileField, linkedin: profileField })
  .refine(
    (fields) => Object.values(fields).filter((value) => value !== undefined).length === 1,
    refusals.oneProfileField,
  );
