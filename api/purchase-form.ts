import { z } from "zod";
import { refusals } from "../shop/texts/refusals.ts";
import { messages } from "../shop/texts/specification.ts";
import { clientAmount, email, id, line, note, prose } from "./fields.ts";

/** POST /purchase; the purchase form validates its fields with the same rules. */
export const purchaseForm = z.object({
  name: line(200, messages.register.nameRequired).optional(),
  email: email.optional(),
  address: prose(500, messages.purchase.addressRequired),
  phone: note(40)
    .nullish()
    .transform((typed) => typed?.trim() ?? ""),
  // the range depends on the product
  purchaseQuantity: z.number({ error: refusals.numberRequired }).int(refusals.wholeNumber),
  productId: id.optional(),
  productName: note(300).optional(),
  picture: note(2000).optional(),
  price: clientAmount.optional(),
  total: clientAmount.optional(),
  status: z.literal("unpaid").optional(),
});
