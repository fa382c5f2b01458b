/** Responses to malformed HTTP, for which Node creates no request. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { refusals } from "../../shop/texts/refusals.ts";

const responses: Record<string, { status: number; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: refusals.headersTooLarge },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: refusals.tooSlow },
};

export function handleClientError(error: { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, detail } = responses[error.code ?? ""] ?? { status: 400, detail: refusals.badRequest };
  const title = STATUS_CODES[status] ?? "";
  const body = JSON.stringify({ type: "about:blank", title, status, detail });
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff",
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}
