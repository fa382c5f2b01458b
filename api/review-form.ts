import { z } from "zod";
import { refusals } from "../shop/texts/refusals.ts";
import { messages } from "../shop/texts/specification.ts";
import { line, prose } from "./fields.ts";

export const reviewForm = z.object({
  name: line(200, messages.register.nameRequired).optional(),
  rating: z
    .number({ error: messages.review.ratingRequired })
    .min(0, messages.review.negative)
    .max(5, messages.review.aboveMaximum)
    .refine((rating) => rating < 0 || rating >= 1, refusals.ratingTooLow),
  description: prose(2000, messages.review.textRequired),
});
