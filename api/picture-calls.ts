import { z } from "zod";
import { MAX_PICTURE_BYTES, MAX_PICTURES } from "../shop/pictures/urls.ts";
import { pictureMessages } from "../shop/texts/picture-messages.ts";
import { call } from "./call.ts";
import { product } from "./entities.ts";
import { byId, count, line, picture, uploadedFile } from "./fields.ts";

export const pictureCalls = {
  addPicture: call("POST /admin/pictures", {
    access: "admin",
    idempotency: "resumable",
    upload: MAX_PICTURE_BYTES,
    summary:
      "Stores a JPEG, PNG, WebP, AVIF or GIF picture of at most 20 MB and less than 50 megapixels, upright and without " +
      "metadata, as AVIF, WebP and JPEG in several widths. The `url` can be the `picture` of a tool, and its content " +
      "never changes: the same file has the same `url`. A picture that is used nowhere is deleted after a day.",
    body: z.object({ file: uploadedFile }),
    output: z.object({ url: z.string(), width: count, height: count }),
  }),
  saveProductPictures: call("PUT /admin/products/{id}/pictures", {
    access: "admin",
    idempotency: "transaction",
    summary:
      "Replaces the pictures of a tool, in this order; the first is its `picture`, which lists show. Each has an " +
      "alternative text. 409 with the current tool if it was changed in the meantime.",
    params: byId,
    body: z.strictObject({
      version: z.number().int().min(1).max(2_147_483_647),
      pictures: z
        .array(z.strictObject({ url: picture, alt: line(200, pictureMessages.altRequired) }))
        .min(1, pictureMessages.pictureRequired)
        .max(MAX_PICTURES, pictureMessages.tooManyPictures(MAX_PICTURES))
        .refine(
          (pictures) => new Set(pictures.map(({ url }) => url)).size === pictures.length,
          pictureMessages.samePicture,
        ),
    }),
    output: product,
  }),
};
