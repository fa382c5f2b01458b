/** The HTTP shell: everything that is served, on one port. */
import { fileURLToPath } from "node:url";
import rateLimit from "@fastify/rate-limit";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { toOpenApi } from "../../api/openapi.ts";
import { NoConnection } from "../../database/no-connection.ts";
import { refusals } from "../../shop/refusals.ts";
import { networkOf } from "./attempts.ts";
import { addCalls, type CallDependencies, methodsAt } from "./calls.ts";
import { answerClientError } from "./client-error.ts";
import { addFiles } from "./files.ts";
import { addHealth } from "./health.ts";
import { addIdentity, type IdentityDependencies } from "./identity.ts";
import { addMailPage } from "./mail-page.ts";
import { addMemory } from "./memory.ts";
import { addPages, type PageDependencies } from "./pages.ts";
import { sendNoConnection, sendProblem } from "./problem.ts";
import { addSecurityHeaders } from "./security.ts";
import { closeIdleConnections, waitForHandlers } from "./under-way.ts";
import { addressOf } from "./web.ts";

export interface AppDependencies
  extends CallDependencies,
    Omit<PageDependencies, "files">,
    IdentityDependencies {
  log: FastifyBaseLogger;
  rateLimit: boolean;
  /** takes what is to be done whenever the catalogue or the reviews have changed */
  onChange: (renew: () => void) => void;
  /** adds what stands beside the store on the same port: the sandbox processor, the webhook */
  addPayments: (app: FastifyInstance) => Promise<void>;
}

const BODY_LIMIT = 256 * 1024;
const clientFolder = fileURLToPath(new URL("../../build/client", import.meta.url));

/** The whole application, ready to listen. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: dependencies.log,
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    // who dawdles over the headers, or sends more of them than any browser, is answered 408 or 431
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384 },
    connectionTimeout: 60_000,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    clientErrorHandler: answerClientError,
    forceCloseConnections: "idle",
    trustProxy: "loopback",
    frameworkErrors: (error, _request, reply) =>
      sendProblem(reply, error.statusCode ?? 400, refusals.notFound),
  });
  app.removeContentTypeParser("text/plain");
  takeEmptyJson(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(refuseAddress);
  closeIdleConnections(app);
  waitForHandlers(app);
  await addSecurityHeaders(app, dependencies.publicUrl.startsWith("https:"));
  if (dependencies.rateLimit) await addRateLimit(app);
  app.addHook("onRequest", (request, reply, done) => {
    // what follows "//", or "/\", is the name of a host to whoever makes a URL of it
    if (/^\/[/\\]/.test(request.url)) refuseAddress(request, reply);
    else done();
  });
  addHealth(app, dependencies.store.pool);
  await dependencies.addPayments(app);
  await addIdentity(app, dependencies);
  addCalls(app, dependencies);
  addMailPage(app, dependencies);
  app.get("/openapi.json", { config: { remember: "forever" } }, () => toOpenApi(dependencies.publicUrl));
  addFiles(app, clientFolder);
  addPages(app, { ...dependencies, files: clientFolder });
  const memory = addMemory(app);
  dependencies.onChange(() => memory.forget());
  return app;
}

// A PATCH or PUT without a body may still name JSON as its kind.
function takeEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else parse(request, body, done);
  });
}

async function addRateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    // a guard against floods only: thirty people may share an address; what can be abused is counted on its own
    max: 6000,
    timeWindow: "1 minute",
    keyGenerator: (request) => networkOf(addressOf(request)),
    allowList: (request) => request.url.startsWith("/assets/"),
    errorResponseBuilder: (_request, context) =>
      Object.assign(new Error(refusals.tooManyRequests), { statusCode: context.statusCode }),
  });
}

/** Nothing is there, or nothing with this method. */
function refuseAddress(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = methodsAt(request.url.split("?")[0] as string);
  if (methods.length === 0) return sendProblem(reply, 404, refusals.notFound);
  return sendProblem(reply.header("Allow", methods.join(", ")), 405, refusals.methodNotAllowed);
}

const known: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refusals.badContentType,
  FST_ERR_CTP_BODY_TOO_LARGE: refusals.bodyTooLarge,
  FST_ERR_CTP_INVALID_JSON_BODY: refusals.badJson,
};

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error.statusCode ?? 500;
  if (status < 500) {
    const detail =
      known[error.code] ??
      (status === 429 ? refusals.tooManyRequests : status === 400 ? refusals.badJson : error.message);
    return sendProblem(reply, status, detail);
  }
  // the pool has reported it; the identity library gives it as the cause of its own refusal
  const missing = [error, error.cause].find((one) => one instanceof NoConnection);
  if (missing) return sendNoConnection(reply, missing);
  request.log.error(error);
  return sendProblem(reply, 500, refusals.serverFailed);
}
