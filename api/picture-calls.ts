/** Calls about pictures, for admins. */
import { z } from "zod";
import { LARGEST_PICTURE } from "../shop/pictures/addresses.ts";
import { call } from "./call.ts";
import { uploadedFile } from "./fields.ts";

export const pictureCalls = {
  addPicture: call({
    method: "POST",
    path: "/admin/pictures",
    access: "admin",
    idempotency: "resumable",
    upload: LARGEST_PICTURE,
    summary:
      "Stores a JPEG, PNG, WebP, AVIF or GIF picture of at most 20 MB and less than 50 megapixels, upright and without " +
      "metadata, as AVIF, WebP and JPEG in several widths. The `url` can be the `picture` of a tool, and its content " +
      "never changes: the same file has the same `url`. A picture that is used nowhere is deleted after a day.",
    body: z.object({ file: uploadedFile }),
    answer: z.object({ url: z.string(), width: z.number().int(), height: z.number().int() }),
  }),
};
