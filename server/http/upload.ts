/** An uploaded file is streamed to a temporary one to keep memory small. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { UploadedFile } from "../../api/fields.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import type { ProblemDetails } from "./problem.ts";

export interface Upload {
  body: Record<string, unknown>;
  discard(): Promise<void>;
}

export async function acceptUploads(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers();
  // any other body is left unread, and refused by readUpload
  app.addContentTypeParser("*", (_request, _body, done) => done(null));
  await app.register(multipart);
}

export async function readUpload(
  request: FastifyRequest,
  maxBytes: number,
): Promise<Upload | { failed: ProblemDetails }> {
  if (!request.isMultipart()) return { failed: { status: 415, detail: refusals.notAForm } };
  const folder = await mkdtemp(join(tmpdir(), "stator-upload-"));
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    const body: Record<string, unknown> = {};
    const limits = { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 20_000, fieldNameSize: 100 };
    for await (const part of request.parts({ limits })) {
      // of two values, none is known to be meant
      const isRepeated = Object.hasOwn(body, part.fieldname);
      if (part.type === "field") body[part.fieldname] = isRepeated || part.valueTruncated ? null : part.value;
      else if (part.fieldname === "file" && !isRepeated)
        body.file = await saveFile(part.file, part.filename ?? "", join(folder, "file"));
      else {
        body[part.fieldname] = null;
        part.file.resume();
      }
    }
    return { body, discard };
  } catch (error) {
    await discard();
    return { failed: problemOf(error, maxBytes) };
  }
}

async function saveFile(stream: NodeJS.ReadableStream, name: string, path: string): Promise<UploadedFile> {
  const hash = createHash("sha256");
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(stream, measure, createWriteStream(path));
  return {
    name,
    size,
    sha256: hash.digest("hex"),
    open: () => createReadStream(path, { highWaterMark: 1024 * 1024 }),
  };
}

function problemOf(error: unknown, maxBytes: number): ProblemDetails {
  const { code } = error as { code?: string };
  if (code === "FST_REQ_FILE_TOO_LARGE") {
    const detail = refusals.fileTooLarge(Math.floor(maxBytes / 1024 / 1024));
    return { status: 413, detail, fields: { file: detail } };
  }
  if (code?.startsWith("FST_")) return { status: 400, detail: refusals.badForm };
  if (isDiskError(code)) throw error;
  return { status: 400, detail: refusals.badForm };
}

function isDiskError(code: string | undefined): boolean {
  return ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EMFILE", "ENFILE", "EIO"].includes(code ?? "");
}
