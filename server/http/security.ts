import { hash } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { cardHosts } from "./card-hosts.ts";

export function hashOf(content: string): string {
  return `'sha256-${hash("sha256", content, "base64")}'`;
}

export interface PagePolicy {
  images: string[];
  card: boolean;
  /** behind TLS: sends HSTS and upgrades requests of old http URLs */
  secure: boolean;
}

/** The pages set their own Content-Security-Policy, with the hashes of their scripts. */
export async function addSecurityHeaders(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: secure && { maxAge: 63_072_000, includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: "same-origin" },
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  const paymentOrigins = ["self", ...cardHosts.payment.map((host) => `"${host}"`)].join(" ");
  app.addHook("onSend", async (_request, reply) => {
    reply.header(
      "Permissions-Policy",
      `camera=(), microphone=(), geolocation=(), payment=(${paymentOrigins})`,
    );
  });
}

interface PageSources extends PagePolicy {
  /** allows what Vite and React need for hot updates: inline styles, eval, a worker and a websocket */
  development?: boolean;
  scripts: string[];
  styles: string[];
}

export function contentSecurityPolicy(sources: PageSources): string {
  const { images, card, secure, scripts, styles, development = false } = sources;
  const rule = (name: string, ...sources: string[]) => [name, ...sources].join(" ");
  const ofCard = (what: keyof typeof cardHosts) => (card ? cardHosts[what] : []);
  return [
    "default-src 'none'",
    rule("script-src", "'self'", ...scripts, ...ofCard("scripts"), ...(development ? ["'unsafe-eval'"] : [])),
    // a hash would disable 'unsafe-inline'
    rule("style-src", "'self'", ...(development ? ["'unsafe-inline'"] : styles)),
    "font-src 'self'",
    rule("img-src", "'self'", "data:", "https:", ...(secure ? [] : ["http:"]), ...images),
    rule("connect-src", "'self'", ...ofCard("connections"), ...(development ? ["ws:"] : [])),
    ...(development ? ["worker-src 'self' blob:"] : []),
    rule("frame-src", "'self'", ...ofCard("frames")),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(secure ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
