/** The sandbox with a faulty before it that may answer in its place, as Stripe's does, or keep whoever asks waiting. */
import Fastify, { type FastifyReply } from "fastify";

export interface FaultyProvider {
  /** what to give as STRIPE_API_BASE */
  base: string;
  /** how the faulty answers from now on; null lets everybody in */
  instead: Instead | null;
  /** what it answers about webhook endpoints */
  endpoints: object[];
  /** `method path` of everything that was asked */
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

/** Opens a faulty before what serves at `base`. */
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

/** A byte a second, so that no time-out of a silent line is ever over. */
function sendHalf(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, { "content-type": "application/json" });
  const drip = setInterval(() => reply.raw.write(" "), 1000);
  reply.raw.on("close", () => clearInterval(drip));
}
