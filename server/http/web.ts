import type { FastifyReply, FastifyRequest } from "fastify";

/** As some proxies write an IP address into X-Forwarded-For, such as Azure's. */
const IP_WITH_PORT = /^(?:([\d.]+)|\[([\da-f:.]+)\]):\d+$/i;

/** The IP address of the client; empty once it has disconnected. */
export function ipOf(request: FastifyRequest): string {
  return (request.ip ?? "").replace(IP_WITH_PORT, "$1$2");
}

/** With the client's IP address, which no client can set. */
export function toHeaders(request: FastifyRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(":")) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  headers.set("x-stator-ip", ipOf(request));
  return headers;
}

export function toWebRequest(request: FastifyRequest, origin: string, body?: string | Buffer): Request {
  const hasBody = request.method !== "GET" && request.method !== "HEAD" && body !== undefined;
  return new Request(new URL(request.url, origin), {
    method: request.method,
    headers: toHeaders(request),
    ...(hasBody && { body: typeof body === "string" ? body : new Uint8Array(body) }),
  });
}

export async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== "set-cookie") reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  return reply.send(response.body ? Buffer.from(await response.arrayBuffer()) : null);
}
