/** Security headers: pages load, run and submit to nothing but this site. */
import { createHash } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { cardHosts } from "./card-hosts.ts";

/** The hash of an inline script or style, as a source of the policy. */
export function hashOf(content: string): string {
  return `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
}

export interface PagePolicy {
  /** hosts of pictures and map tiles, in addition to any https address of a product's picture */
  images: string[];
  /** whether the card provider's own field may be loaded */
  card: boolean;
  /** behind TLS: nothing is loaded without it; what an old address asks for in the clear is asked for by TLS */
  secure: boolean;
}

/** Headers for every answer; the pages set their own Content-Security-Policy with the hashes of their scripts. */
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
  const payers = ["self", ...cardHosts.payment.map((host) => `"${host}"`)].join(" ");
  app.addHook("onSend", async (_request, reply) => {
    reply.header("Permissions-Policy", `camera=(), microphone=(), geolocation=(), payment=(${payers})`);
  });
}

interface PageSources extends PagePolicy {
  /** allows what Vite and React need to update open pages: inline styles, eval, a worker and a websocket */
  development?: boolean;
  /** hashes of the page's inline scripts and styles */
  scripts: string[];
  styles: string[];
}

/** The policy of one page: its inline scripts and styles by hash, everything else from this site. */
export function contentSecurityPolicy(sources: PageSources): string {
  const { images, card, secure, scripts, styles, development = false } = sources;
  const rule = (name: string, ...sources: string[]) => [name, ...sources].join(" ");
  const ofCard = (what: keyof typeof cardHosts) => (card ? cardHosts[what] : []);
  return [
    "default-src 'none'",
    rule("script-src", "'self'", ...scripts, ...ofCard("scripts"), ...(development ? ["'unsafe-eval'"] : [])),
    // a hash would switch 'unsafe-inline' off
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
