/** A cheap HTTP client for dialogues: one keep-alive connection, one request at a time, JSON responses. */
import { connect } from "node:net";
import { request } from "./load.ts";
import type { Listening } from "./processes.ts";

export interface Connection {
  /** Expects the call to succeed; a string is sent as a form, an object as JSON. */
  send<Answer>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  end(): void;
}

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const JSON_BODY = { "Content-Type": "application/json" };

export function openConnection({ port }: Listening): Connection {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve: (answer: never) => void; reject: (problem: Error) => void } | undefined;
  const finish = (problem: Error | null, body = "") => {
    const pending = waiting;
    waiting = undefined;
    if (problem) pending?.reject(problem);
    else pending?.resolve(JSON.parse(body) as never);
  };
  socket.on("data", (chunk) => {
    received = received.length > 0 ? Buffer.concat([received, chunk as Buffer]) : (chunk as Buffer);
    const stop = received.indexOf("\r\n\r\n");
    if (stop === -1) return;
    const head = received.toString("latin1", 0, stop);
    const end = stop + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < end) return;
    const body = received.toString("utf8", stop + 4, end);
    received = received.subarray(end);
    finish(head.startsWith("HTTP/1.1 2") ? null : new Error(`${head.split("\r\n")[0]}: ${body}`), body);
  });
  socket.on("error", finish);
  socket.on("close", () => finish(new Error("The store closed the connection.")));
  return {
    send(method, path, body, headers) {
      const isForm = typeof body === "string";
      const sent = isForm || body === undefined ? (body as string | undefined) : JSON.stringify(body);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request(method, path, { ...(isForm ? FORM : JSON_BODY), ...headers }, sent));
      });
    },
    end: () => socket.end(),
  };
}
