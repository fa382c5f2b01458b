/** A proxy in front of the sandbox that may respond in its place, like Stripe, or delay requests. */
import Fastify, { type FastifyReply } from "fastify";

export interface FaultyProvider {
  /** for STRIPE_API_BASE */
  base: string;
  /** what it does with requests from now on; null passes them on */
  override: Override | null;
  /** its response about webhook endpoints */
  endpoints: object[];
  /** `method path` of every request */
  requests: string[];
  close(): Promise<void>;
}

export type Override =
  | { status: number; error: object }
  | { status: number; raw: string }
  | "silence"
  | "half a response"
  | "hang up"
  | { afterMs: number };

/** Opens a proxy in front of `base`. */
export async function openFaultyProvider(base: string): Promise<FaultyProvider> {
  const app = Fastify({ forceCloseConnections: true });
  const faulty: FaultyProvider = {
    base: "",
    override: null,
    endpoints: [],
    requests: [],
    close: () => app.close(),
  };
  const saved = new Map<string, { status: number; error: object }>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.all("/*", async (request, reply) => {
    faulty.requests.push(`${request.method} ${request.url}`);
    const { authorization, "idempotency-key": key } = request.headers;
    const repeated = saved.get(String(key));
    if (repeated) return reply.code(repeated.status).send({ error: repeated.error });
    const { override } = faulty;
    if (override === "silence") return reply.hijack();
    if (override === "half a response") return sendHalf(reply);
    if (override === "hang up") return reply.hijack().raw.socket?.destroy();
    if (override && "raw" in override)
      return reply.code(override.status).type("text/html").send(override.raw);
    if (override && "error" in override) {
      // Stripe saves the response to a request that it began to carry out, also a failure, for a day
      if (key && (override.status === 400 || override.status >= 500)) saved.set(String(key), override);
      return reply.code(override.status).send({ error: override.error });
    }
    if (!override && request.url.startsWith("/v1/webhook_endpoints"))
      return { object: "list", data: faulty.endpoints, has_more: false, url: "" };
    if (override) await new Promise((done) => setTimeout(done, override.afterMs));
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
