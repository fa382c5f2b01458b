/** What a browser is told about our pages: load nothing, run nothing and send nothing that is not ours. */
import { createHash } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

const STRIPE_SCRIPTS = "https://js.stripe.com";

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
  app.addHook("onSend", async (_request, reply) => {
    reply.header("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(self)");
  });
}

/** The policy of one page: its inline scripts by hash, everything else from this site. */
export function contentSecurityPolicy(html: string, images: string[]): string {
  const hashes = new Set<string>();
  for (const [, attributes, script] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (/\bsrc=/.test(attributes ?? "")) continue;
    hashes.add(
      `'sha256-${createHash("sha256")
        .update(script ?? "")
        .digest("base64")}'`,
    );
  }
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashes].join(" ")} ${STRIPE_SCRIPTS}`,
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data: https: ${images.join(" ")}`.trim(),
    "connect-src 'self' https://api.stripe.com",
    "frame-src 'self' https://js.stripe.com https://hooks.stripe.com",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
