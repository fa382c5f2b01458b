import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import Fastify, { type FastifyRequest } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitBodyTime } from "../../server/http/body-timeout.ts";

const app = Fastify();
let port: number;
beforeAll(async () => {
  limitBodyTime(app, 200);
  app.addContentTypeParser("text/slow", (_request: FastifyRequest, payload: IncomingMessage) =>
    text(payload),
  );
  app.post("/words", async () => "read");
  app.post("/file", { config: { takesFile: true } }, async () => "read");
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

/** Sends half of a body at once and the other half later. */
async function sendSlowly(path: string, laterMs: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/slow\r\nContent-Length: 4\r\nConnection: close\r\n\r\n`;
  socket.write(`${head}ab`);
  setTimeout(() => socket.writable && socket.write("cd"), laterMs);
  return text(socket);
}

test("a body that does not arrive in time gets 408, unless the route takes a file", async () => {
  expect(await sendSlowly("/words", 600)).toMatch(/^HTTP\/1\.1 408 .*"status":408/s);
  expect(await sendSlowly("/words", 20)).toMatch(/^HTTP\/1\.1 200/);
  expect(await sendSlowly("/file", 600)).toMatch(/^HTTP\/1\.1 200/);
});
