import { isUtf8 } from "node:buffer";
import rateLimit from "@fastify/rate-limit";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type pg from "pg";
import { toOpenApi } from "../../api/openapi.ts";
import { pathPattern } from "../../api/pages.ts";
import { ConnectionError } from "../../database/connection-error.ts";
import { isDiskFull, unavailabilityOf } from "../../database/unavailability.ts";
import type { SheetRenderer } from "../../shop/documents/sheet.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { networkOf } from "../auth/rate-limit-rules.ts";
import { MAX_URL_LENGTH } from "../cache/cache-key.ts";
import { openResponseCache } from "../cache/response-cache.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Tracing } from "../tracing/open-tracing.ts";
import { addApiRoutes, type CallDependencies, methodsAt } from "./api-routes.ts";
import { limitBodyTime, REQUEST_TIMEOUT_MS } from "./body-timeout.ts";
import { handleClientError } from "./client-error.ts";
import { addDocuments } from "./document-routes.ts";
import { addEmailPage } from "./email-page.ts";
import { closeConnections, endKeepAlive, waitForHandlers } from "./graceful-shutdown.ts";
import { addHealth, type DatabaseErrors } from "./health.ts";
import { addIdentity, type IdentityDependencies } from "./identity-routes.ts";
import { addMetrics, observeResponses } from "./metrics-routes.ts";
import { addPages, type PageDependencies } from "./pages.ts";
import { addPictures } from "./picture-routes.ts";
import { sendError, sendProblem } from "./problem.ts";
import { RequestCounts } from "./request-counts.ts";
import { identifyRequests, requestIds, trustedProxyCheck } from "./request-id.ts";
import { addSecurityHeaders } from "./security.ts";
import { addSharedAssets } from "./shared-assets.ts";
import { addStockAlerts } from "./stock-alerts.ts";
import { ipOf } from "./web.ts";

export interface AppDependencies extends CallDependencies, PageDependencies, IdentityDependencies {
  documents: SheetRenderer;
  log: FastifyBaseLogger;
  pool: pg.Pool;
  databaseErrors: DatabaseErrors;
  trustedProxies: string[];
  metrics: Metrics;
  tracing: Tracing | undefined;
  /** without a listener of their own, the metrics are on this port, for clients on this machine */
  servesMetrics: boolean;
  /** aborted when the store is about to stop */
  draining: AbortSignal;
  rateLimit: boolean;
  assetsDir: string | undefined;
  /** whether a cache in front of the store is purged after changes, so that public responses may be kept there */
  hasEdge: boolean;
  onChange: (invalidate: () => void) => void;
  addPayments: (app: FastifyInstance) => Promise<void>;
}

const BODY_LIMIT = 256 * 1024;

const refuseSchemas = () => {
  throw new Error("Validate with Zod instead of a JSON schema.");
};

export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { pages, metrics, servesMetrics } = dependencies;
  const isDevelopment = pages.mode === "development";
  const cache = isDevelopment
    ? // an edit must be visible at once
      openResponseCache({ keyOf: () => null })
    : openResponseCache({ observe: metrics.observeRequest, edge: dependencies.hasEdge });
  const isTrusted = trustedProxyCheck(dependencies.trustedProxies);
  const app = Fastify({
    ...requestIds(isTrusted),
    serverFactory: cache.serverFactory,
    loggerInstance: dependencies.log,
    // loads Ajv otherwise: 94 modules, and this store validates with Zod
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // slow or oversized headers get a 408 or 431
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384 },
    connectionTimeout: 60_000,
    routerOptions: { maxParamLength: MAX_URL_LENGTH, ignoreTrailingSlash: false },
    clientErrorHandler: handleClientError,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    trustProxy: dependencies.trustedProxies,
    frameworkErrors: (error, _request, reply) =>
      sendProblem(reply, error.statusCode ?? 400, refusals.notFound),
  });
  identifyRequests(app, isTrusted, dependencies.tracing);
  app.removeContentTypeParser("text/plain");
  acceptEmptyJson(app);
  app.setErrorHandler(errorHandler(dependencies.databaseErrors.record));
  app.setNotFoundHandler(sendNotFound);
  closeConnections(app);
  endKeepAlive(app, dependencies.draining);
  waitForHandlers(app);
  await addSecurityHeaders(app, dependencies.publicUrl.startsWith("https:"));
  // in development a page loads some hundred modules
  if (dependencies.rateLimit && !isDevelopment) await addRateLimit(app);
  app.addHook("onRequest", (request, reply, done) => {
    if (request.url.length > MAX_URL_LENGTH) return sendProblem(reply, 414, refusals.urlTooLong);
    // a URL parser reads a host after "//" or "/\", and a page cannot be rendered for a URL with a user
    if (/^(\/[/\\]|https?:\/\/[^/]*@)/i.test(request.url)) sendProblem(reply, 404, refusals.notFound);
    else done();
  });
  limitBodyTime(app);
  addHealth(app, dependencies);
  observeResponses(app, metrics);
  if (servesMetrics) addMetrics(app, metrics);
  await dependencies.addPayments(app);
  await addIdentity(app, dependencies);
  addEmailPage(app, dependencies);
  addDocuments(app, dependencies);
  addPictures(app, dependencies);
  await addStockAlerts(app, dependencies);
  app.get("/openapi.json", { config: { cache: "immutable" } }, () => toOpenApi(dependencies.publicUrl));
  await pages.addFiles(app);
  if (dependencies.assetsDir !== undefined) addSharedAssets(app, dependencies.assetsDir);
  const sendPage = addPages(app, dependencies);
  addApiRoutes(app, dependencies, sendPage);
  cache.register(app);
  dependencies.onChange(cache.invalidate);
  return app;
}

// A PATCH or PUT without a body may still have the content type JSON. Text in another encoding would be stored with
// replacement characters.
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else if (isUtf8(body)) parse(request, body.toString(), done);
    else done(Object.assign(new Error(refusals.badJson), { statusCode: 400 }));
  });
}

async function addRateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    // only against floods: thirty people may share an IP address; sensitive calls have limits of their own, and the
    // files of the build are cached before they are counted
    max: 6000,
    timeWindow: "1 minute",
    store: RequestCounts,
    keyGenerator: (request) => networkOf(ipOf(request)),
    errorResponseBuilder: (_request, context) =>
      Object.assign(new Error(refusals.tooManyRequests), { statusCode: context.statusCode }),
  });
}

const isPage = pathPattern(({ developmentOnly }) => !developmentOnly);

/** 405 for a known path with another method. */
function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split("?")[0] as string;
  const methods = new Set(isPage.test(path) ? ["GET", ...methodsAt(path)] : methodsAt(path));
  if (methods.has("GET")) methods.add("HEAD");
  if (methods.size === 0) return sendProblem(reply, 404, refusals.notFound);
  return sendProblem(reply.header("Allow", [...methods].join(", ")), 405, refusals.methodNotAllowed);
}

const messagesByCode: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refusals.badContentType,
  FST_ERR_CTP_BODY_TOO_LARGE: refusals.bodyTooLarge,
  FST_ERR_CTP_INVALID_JSON_BODY: refusals.badJson,
};

function errorHandler(record: (error: unknown) => void) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const status = error.statusCode ?? 500;
    if (status < 500) {
      const detail =
        messagesByCode[error.code] ??
        (status === 429 ? refusals.tooManyRequests : status === 400 ? refusals.badJson : error.message);
      return sendProblem(reply, status, detail);
    }
    const unavailable = unavailabilityOf(error);
    // the pool reports a missing connection once for all waiting requests
    const isReported = [error, error.cause].some((cause) => cause instanceof ConnectionError);
    if (!isReported) request.log[unavailable === "unreachable" ? "warn" : "error"](error);
    // of the folder for uploads
    if (!unavailable && isDiskFull(error)) return sendError(reply, "diskFull");
    if (!unavailable) return sendProblem(reply, 500, refusals.serverFailed);
    record(error);
    return sendError(reply, unavailable);
  };
}
