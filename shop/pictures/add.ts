import { createHash } from "node:crypto";
import type { Output } from "../../api/contract.ts";
import type { UploadedFile } from "../../api/fields.ts";
import type { Queryable } from "../../database/client.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { type Refusal, refuse, refuseField } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { pictureRefusals } from "../texts/picture-refusals.ts";
import {
  type EncodedPicture,
  EncoderUnavailable,
  type PictureEncoder,
  type PictureFile,
  type PictureStorage,
  StorageUnavailable,
} from "./ports.ts";
import { jpegNameOf, nameOf, type PictureSize, urlOf } from "./urls.ts";

/** Changes with the widths and quality of the files, so that the content of a URL never changes. */
const ENCODING = "1";

type AddedPicture = Output<"addPicture">;

/** The row is inserted first, so that `deleteUnusedPictures` finds the files of an interrupted upload. */
export async function addPicture(
  { pool }: Store,
  { encoder, storage }: { encoder: PictureEncoder; storage: PictureStorage },
  admin: User,
  file: UploadedFile,
): Promise<AddedPicture | Refusal> {
  const hash = createHash("sha256").update(`${ENCODING} ${file.sha256}`).digest("hex").slice(0, 32);
  const stored = await findStored(pool, hash);
  if (stored) return toAddedPicture(stored);
  try {
    const encoded = await encoder.encode(file.open);
    if ("problem" in encoded) return refuseField("file", pictureRefusals[encoded.problem]);
    const picture = { ...encoded, hash };
    await insert(pool, picture, file.size, admin);
    for (const encodedFile of encoded.files)
      await storage.save(fileNameOf(picture, encodedFile), encodedFile.bytes);
    await pool.query("UPDATE shop.picture SET stored_at = greatest(now(), created_at) WHERE hash = $1", [
      hash,
    ]);
    return toAddedPicture(picture);
  } catch (error) {
    const isUnavailable = error instanceof StorageUnavailable || error instanceof EncoderUnavailable;
    if (isUnavailable) return refuse("unavailable", pictureRefusals.storageUnavailable);
    throw error;
  }
}

// Keeps it for another day, and waits for a concurrent deletion. The clock may have been set back since the last upload.
async function findStored(pool: Queryable, hash: string): Promise<PictureSize | undefined> {
  const { rows } = await pool.query<PictureSize>(
    `UPDATE shop.picture SET uploaded_at = greatest(now(), created_at) WHERE hash = $1 AND stored_at IS NOT NULL
     RETURNING hash, width, height, colour`,
    [hash],
  );
  return rows[0];
}

async function insert(
  pool: Queryable,
  { hash, width, height, colour }: PictureSize & EncodedPicture,
  bytes: number,
  admin: User,
): Promise<void> {
  await pool.query(
    `INSERT INTO shop.picture (hash, width, height, colour, bytes, created_by) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (hash) DO UPDATE SET uploaded_at = greatest(now(), picture.created_at)
     RETURNING ${actorSql("$7")}`,
    [hash, width, height, colour, bytes, admin.id, actorText()],
  );
}

function fileNameOf(picture: PictureSize, { format, width }: PictureFile): string {
  return format === "jpg" ? jpegNameOf(picture) : nameOf(picture.hash, width, format);
}

const toAddedPicture = (picture: PictureSize): AddedPicture => ({
  url: urlOf(picture),
  width: picture.width,
  height: picture.height,
});
