/**
 * A cheap HTTP client: keep-alive connections, one request at a time on each, prebuilt request bytes. It parses a
 * response only as far as needed to find its end.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Listening } from "./processes.ts";

export interface Load {
  perSecond: number;
  /** milliseconds */
  p50: number;
  p95: number;
  p99: number;
  responses: number;
  /** CPU time per response of the measured processes, if it was recorded */
  cpu?: number;
}

/** Adds the CPU time per response, which a busy machine affects little. */
export async function withCpuTime(cpu: () => number, run: () => Promise<Load>): Promise<Load> {
  const before = cpu();
  const loaded = await run();
  return { ...loaded, cpu: (cpu() - before) / loaded.responses };
}

/** A request as bytes. */
export function request(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Buffer {
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ Host: "localhost", ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
}

/**
 * Sends requests for `seconds` on `connections` connections, each as soon as the last response has arrived, or one
 * every `everyMs`. `next` returns the request of a connection; throws unless every response has status 200. Of several
 * nodes each gets its share of the connections.
 */
export async function load(
  nodes: Listening | Listening[],
  connections: number,
  seconds: number,
  next: (connection: number) => Buffer,
  everyMs = 0,
): Promise<Load> {
  const times: number[] = [];
  const ports = [nodes].flat().map(({ port }) => port);
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      // users are not synchronized
      await pause((everyMs * index) / connections);
      const port = ports[index % ports.length] as number;
      await runConnection({ port, end, next: () => next(index), everyMs, times });
    }),
  );
  return { ...percentiles(times), perSecond: times.length / ((performance.now() - started) / 1000) };
}

/** The distribution of times in milliseconds. */
export function percentiles(times: number[]): Omit<Load, "perSecond" | "cpu"> {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), responses: sorted.length };
}

interface ConnectionLoad {
  port: number;
  end: number;
  next: () => Buffer;
  everyMs: number;
  /** receives the duration of each response */
  times: number[];
}

function runConnection({ port, end, next, everyMs, times }: ConnectionLoad): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(next());
    };
    onResponses(socket, (problem) => {
      if (problem) {
        socket.destroy();
        return reject(problem);
      }
      const now = performance.now();
      times.push(now - sentAt);
      const rest = sentAt + everyMs - now;
      if (now + rest < end) return rest > 0 ? void setTimeout(send, rest) : send();
      socket.end();
      resolve();
    });
    socket.on("connect", send);
    socket.on("error", reject);
  });
}

function onResponses(socket: Socket, onResponse: (problem?: Error) => void): void {
  let head = "";
  let missing = 0;
  socket.on("data", (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
      if (missing === 0) onResponse();
      return;
    }
    head += (chunk as Buffer).toString("latin1", 0, 8192);
    const stop = head.indexOf("\r\n\r\n");
    if (stop === -1) return;
    if (!head.startsWith("HTTP/1.1 200"))
      return onResponse(new Error(`Unexpected response: ${head.slice(0, 500)}`));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) return onResponse(new Error(`No length: ${head.slice(0, stop)}`));
    const start = head.length - Math.min(chunk.length, 8192);
    missing = Number(length) - (chunk.length - (stop + 4 - start));
    head = "";
    if (missing === 0) onResponse();
  });
}
