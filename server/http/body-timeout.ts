import type { FastifyInstance } from "fastify";
import { handleClientError } from "./client-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** receives a file, which may take REQUEST_TIMEOUT_MS */
    takesFile?: boolean;
  }
}

/** 256 MB at two megabits per second. */
export const REQUEST_TIMEOUT_MS = 20 * 60_000;

const BODY_TIMEOUT_MS = 30_000;

/** Responds 408 if a body without a file has not arrived in time. Node has only one timeout for all routes. */
export function limitBodyTime(app: FastifyInstance, timeout = BODY_TIMEOUT_MS): void {
  app.addHook("onRequest", ({ raw, routeOptions }, _reply, done) => {
    const hasBody =
      raw.headers["content-length"] !== undefined || raw.headers["transfer-encoding"] !== undefined;
    if (hasBody && !routeOptions.config?.takesFile) {
      const timer = setTimeout(() => {
        if (!raw.complete) handleClientError({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, raw.socket);
      }, timeout);
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}
