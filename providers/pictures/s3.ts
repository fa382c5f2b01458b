import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { type PictureStorage, StorageUnavailable } from "../../shop/pictures/ports.ts";

export interface S3Options {
  /** of the bucket, with an optional prefix: https://s3.eu-central-1.amazonaws.com/bucket/pictures */
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  report: (error: Error) => void;
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 3;
/** More than any file that the store has encoded. */
const MAX_BYTES = 16 * 1024 * 1024;
const PAUSE_MS = 200;
const TYPES: Record<string, string> = { avif: "image/avif", webp: "image/webp", jpg: "image/jpeg" };
const HEADS = { avif: /^.{4}ftyp/s, webp: /^RIFF.{4}WEBP/s, jpg: /^\xff\xd8\xff/ };

export function openS3Storage({ url, report, ...credentials }: S3Options): PictureStorage {
  const client = new AwsClient({ ...credentials, service: "s3" });

  /**
   * Again after a failure: the server may have closed a connection that was kept open for the next request. A redirect is
   * not followed, since it may lead into the network of the store.
   */
  async function send(name: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const request = await client.sign(`${url}/${name}`, init);
      const response = await fetch(request, { signal, redirect: "manual" }).catch((error) => {
        if (attempt === ATTEMPTS || signal.aborted) throw error;
      });
      if (response && (response.status < 500 || attempt === ATTEMPTS)) return response;
      await response?.body?.cancel();
      await pause(attempt * PAUSE_MS);
    }
  }

  /** The body, which may be cut off too; null if there is no such file. */
  async function request(name: string, init: RequestInit & { method: string }): Promise<Uint8Array | null> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await send(name, init, signal);
      const body = await readBody(response);
      if (response.ok) return body;
      const text = new TextDecoder().decode(body).slice(0, 500);
      if (text.includes("NoSuchBucket")) throw new Error(`There is no bucket at ${url}.`);
      if (response.status === 404) return null;
      throw new Error(`${init.method} ${name} returned ${response.status}: ${summaryOf(text)}`);
    } catch (cause) {
      const error = new StorageUnavailable("The picture storage failed.", { cause });
      report(error);
      throw error;
    }
  }

  return {
    async save(name, bytes) {
      const saved = await request(name, {
        method: "PUT",
        body: bytes as Uint8Array<ArrayBuffer>,
        headers: {
          "content-type": TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
          "cache-control": "public, max-age=31536000, immutable",
          "x-amz-content-sha256": createHash("sha256").update(bytes).digest("hex"),
        },
      });
      if (saved) return;
      const error = new StorageUnavailable(`There is no bucket at ${url}.`);
      report(error);
      throw error;
    },
    async read(name) {
      const bytes = await request(name, { method: "GET" });
      if (!bytes || isPicture(name, bytes)) return bytes;
      const error = new StorageUnavailable(`The response for ${name} is not this picture.`);
      report(error);
      throw error;
    },
    async delete(names) {
      // a stop waits for them, and each may take ten seconds
      await Promise.all(names.map((name) => request(name, { method: "DELETE" })));
    },
  };
}

/** Browsers keep a picture for a year: not the error page of a proxy, nor an empty file. */
function isPicture(name: string, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return Object.entries(HEADS).some(([format, pattern]) => name.endsWith(format) && pattern.test(head));
}

/** The code and the message of an error in S3's XML, which goes on with what was signed. */
function summaryOf(text: string): string {
  const [, code] = /<Code>(.*?)<\/Code>/.exec(text) ?? [];
  const [, message] = /<Message>(.*?)<\/Message>/s.exec(text) ?? [];
  return code ? [code, message].filter(Boolean).join(": ") : text;
}

/** The server is not trusted with the memory of the store. */
async function readBody({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`The response has more than ${MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
