import type { FastifyInstance } from "fastify";
import { type PictureStorage, StorageUnavailable } from "../../shop/pictures/ports.ts";
import { PICTURE_PATH } from "../../shop/pictures/urls.ts";
import { pictureRefusals } from "../../shop/texts/picture-refusals.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { sendProblem } from "./problem.ts";

const NAME = /^[\da-f]{32}-[\da-fx-]{1,20}\.(avif|webp|jpg)$/;
const types: Record<string, string> = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg" };

export function addPictures(app: FastifyInstance, { pictures }: { pictures: PictureStorage }): void {
  app.get<{ Params: { name: string } }>(`${PICTURE_PATH}:name`, async ({ params: { name } }, reply) => {
    const [, format] = NAME.exec(name) ?? [];
    try {
      const bytes = format ? await pictures.read(name) : null;
      if (!format || !bytes) return sendProblem(reply, 404, refusals.notFound);
      return reply
        .type(types[format] as string)
        .header("Cache-Control", "public, max-age=31536000, immutable")
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      return sendProblem(reply.header("Retry-After", "30"), 503, pictureRefusals.pictureUnavailable);
    }
  });
}
