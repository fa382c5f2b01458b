/** Requests like those of `fetch`, whose streams take half a millisecond more, in thousands of them. */
import { Agent, type IncomingMessage, request as open } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

const agent = new Agent({ keepAlive: true });

/** Those that `fetch` adds. */
const HEADERS = {
  accept: "*/*",
  "accept-language": "*",
  "sec-fetch-mode": "cors",
  "user-agent": "node",
  "accept-encoding": "gzip",
};

export interface PlainRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Buffer<ArrayBuffer>;
}

export interface PlainResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Follows no redirect; throws like `fetch`. */
export async function request(url: string, { method, headers, body }: PlainRequest): Promise<PlainResponse> {
  if (!url.startsWith("http:")) return viaFetch(url, { method, headers, ...(body && { body }) });
  const length = body !== undefined && { "content-length": String(Buffer.byteLength(body)) };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      open(url, { method, agent, headers: { ...HEADERS, ...headers, ...length } }, resolve)
        .on("error", reject)
        .end(body);
    });
    return {
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      text: unpack(await buffer(response), response.headers["content-encoding"]),
    };
  } catch (error) {
    throw new TypeError("fetch failed", { cause: error });
  }
}

async function viaFetch(url: string, init: RequestInit): Promise<PlainResponse> {
  const response = await fetch(url, { redirect: "manual", ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function unpack(bytes: Buffer, encoding?: string): string {
  if (bytes.length === 0) return "";
  const unpacked =
    encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes;
  return new TextDecoder().decode(unpacked);
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  return headers;
}
