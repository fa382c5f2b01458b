/** A proxy in front of the sandbox that may respond in its place, like Stripe, or delay requests. */
import Fastify, { type FastifyReply } from "fastify";

export interface FaultyProvider {
  /** for STRIPE_API_BASE */
  base: string;
  /** its response from now on; null passes requests on */
  instead: Instead | null;
  /** its response about webhook endpoints */
  endpoints: object[];
  /** `method path` of every request */
  asked: string[];
  close(): Promise<void>;
}

export type Instead =
  | { status: number; error: object }
  | { status: number; raw: string }
  | "silence"
  | "half an answer"
  | "hang up"
  | { afterMs: number };

/** Opens a proxy in front of `base`. */
export async function openFaultyProvider(base: string): Promise<FaultyProvider> {
  const app = Fastify({ forceCloseConnections: true });
  const faulty: FaultyProvider = {
    base: "",
    instead: null,
    endpoints: [],
    asked: [],
    close: () => app.close(),
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.all("/*", async (request, reply) => {
    faulty.asked.push(`${request.method} ${request.url}`);
    const { instead } = faulty;
    if (instead === "silence") return reply.hijack();
    if (instead === "half an answer") return sendHalf(reply);
    if (instead === "hang up") return reply.hijack().raw.socket?.destroy();
    if (instead && "raw" in instead) return reply.code(instead.status).type("text/html").send(instead.raw);
    if (instead && "error" in instead) return reply.code(instead.status).send({ error: instead.error });
    if (!instead && request.url.startsWith("/v1/webhook_endpoints"))
      return { object: "list", data: faulty.endpoints, has_more: false, url: "" };
    if (instead) await new Promise((done) => setTimeout(done, instead.afterMs));
    const { authorization, "idempotency-key": key } = request.headers;
    const response = await fetch(base + request.url, {
      method: request.method,
      headers: {
        authorization: String(authorization),
        ...(key && { "idempotency-key": String(key) }),
        "content-type": "application/x-www-form-urlencoded",
      },
      ...(request.method === "POST" && { body: String(request.body ?? "") }),
    });
    return reply.code(response.status).send(await response.json());
  });
  faulty.base = await app.listen({ port: 0, host: "127.0.0.1" });
  return faulty;
}

/** A byte per second, so that no idle timeout is ever reached. */
function sendHalf(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, { "content-type": "application/json" });
  const drip = setInterval(() => reply.raw.write(" "), 1000);
  reply.raw.on("close", () => clearInterval(drip));
}
