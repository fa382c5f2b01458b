import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Call } from "../../api/call.ts";
import { type CallName, contract, type Input, ignoresUnknown, type Output } from "../../api/contract.ts";
import { type Outcome, withReference } from "../../api/outcome.ts";
import type { Page } from "../../database/pagination.ts";
import { unavailabilityOf } from "../../database/unavailability.ts";
import { recordDeniedCall } from "../../shop/accounts/security-events.ts";
import type { AuthenticationState, SessionUser } from "../../shop/accounts/session-user.ts";
import { type Actor, runAsActor } from "../../shop/audit-log/actor.ts";
import { inProgress, runOnce } from "../../shop/idempotency/run-once.ts";
import { isRefusal } from "../../shop/refusal.ts";
import type { Store, User } from "../../shop/store.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import {
  type AuthError,
  type AuthOptions,
  authenticateToken,
  authorize,
  lacksSecondFactor,
  type Session,
  sessionOf,
  sessionUserOf,
} from "../auth/access.ts";
import { callRateLimits } from "../auth/rate-limit-rules.ts";
import type { RateLimiter } from "../auth/rate-limiter.ts";
import { cacheKey } from "../cache/cache-key.ts";
import { SALES } from "../metrics/metrics.ts";
import { type CallInput, type HandlerContext, handlers } from "./api-handlers/handlers.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { isNavigation, redirectToLogin, redirectToPage } from "./navigation.ts";
import type { SendPage } from "./pages.ts";
import {
  type ProblemDetails,
  problemOfError,
  problemOfInput,
  problemOfRefusal,
  sendFailure,
  sendTooMany,
} from "./problem.ts";
import { acceptUploads, readUpload } from "./upload.ts";
import { ipOf } from "./web.ts";

export interface CallDependencies extends HandlerContext, AuthOptions {
  /** for public reads; may be a replica */
  reading: Store;
  limits: RateLimiter;
}

/** 5,000 lines, each with a short text. */
const MANY_LINES_LIMIT = 2 * 1024 * 1024;

export function addApiRoutes(app: FastifyInstance, dependencies: CallDependencies, sendPage: SendPage): void {
  const names = Object.keys(contract) as CallName[];
  addRoutes(
    app,
    names.filter((name) => !(contract[name] as Call).upload),
  );
  void app.register(async (uploads) => {
    await acceptUploads(uploads);
    addRoutes(
      uploads,
      names.filter((name) => (contract[name] as Call).upload),
    );
  });

  function addRoutes(scope: FastifyInstance, callNames: CallName[]): void {
    for (const name of callNames) addRoute(scope, name, contract[name]);
  }

  function addRoute(scope: FastifyInstance, name: CallName, call: Call): void {
    scope.route({
      method: call.method,
      ...(call.manyLines && { bodyLimit: MANY_LINES_LIMIT }),
      url: call.path.replace(/\{(\w+)\}/g, ":$1"),
      config: {
        ...(call.method === "GET" && call.access === "anyone" && { cache: "public" as const }),
        ...(SALES.includes(name) && { sale: name }),
        ...(call.upload && { takesFile: true }),
      },
      handler: (request, reply) =>
        isNavigation(request.raw) && !call.csv
          ? redirectToPage(name, request, reply, sendPage)
          : handle(name, call, dependencies, request, reply),
    });
  }
}

export function methodsAt(path: string): string[] {
  const matches = (call: Call) => new RegExp(`^${call.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return Object.values<Call>(contract)
    .filter(matches)
    .map((call) => call.method);
}

async function handle(
  name: CallName,
  call: Call,
  dependencies: CallDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const caller = await findCaller(call, dependencies, request);
  if ("status" in caller) {
    const { user, ...denial } = caller;
    if (user) await auditDenial(name, dependencies, user, request);
    if (denial.status === 401 && isNavigation(request.raw)) return redirectToLogin(request, reply);
    return sendFailure(reply, denial);
  }
  if (caller.session && caller.session.renewedCookies.length > 0)
    reply.header("set-cookie", caller.session.renewedCookies);
  const upload = call.upload ? await readUpload(request, call.upload) : undefined;
  if (upload && "failed" in upload) return sendFailure(reply, upload.failed);
  const input = upload ? { params: request.params, query: request.query, body: upload.body } : request;
  const outcome = await runCall(name, dependencies, input, caller, request).finally(upload?.discard);
  if (outcome.wait !== undefined) return sendTooMany(reply, outcome.wait);
  if (outcome.failed) return sendFailure(reply, outcome.failed);
  const { result } = outcome;
  if (result === inProgress) reply.header("Retry-After", "1");
  if (isRefusal(result)) return sendFailure(reply, problemOfRefusal(result));
  reply.header("Cache-Control", call.access === "anyone" ? "no-cache" : "no-store");
  if (call.csv) nameCsvFile(reply, call.csv);
  if (call.status) reply.code(call.status);
  return isListed(result) ? sendList(request, reply, result) : reply.send(result);
}

function nameCsvFile(reply: FastifyReply, name: string): void {
  const day = new Date().toISOString().slice(0, 10);
  reply
    .type("text/csv; charset=utf-8")
    .header("Content-Disposition", `attachment; filename="${name}-${day}.csv"`);
}

/** Makes a call for a loader: without HTTP, but with the same checks. */
export async function callFromLoader<Name extends CallName>(
  name: Name,
  input: Input<Name>,
  { bearer, dependencies, request }: LoaderRequest,
): Promise<Outcome<Output<Name>>> {
  try {
    const caller = authorizeCaller(contract[name], dependencies, bearer);
    if ("status" in caller) {
      await auditDenial(name, dependencies, bearer.user, request);
      const { user: _, ...denial } = caller;
      return { ok: false, ...denial };
    }
    const { failed, wait, result } = await runCall(name, dependencies, input, caller, request);
    if (wait !== undefined) return { ok: false, status: 429, detail: refusals.tooManyAttempts };
    if (failed) return { ok: false, ...failed };
    if (isRefusal(result)) return { ok: false, ...problemOfRefusal(result) };
    return { ok: true, data: (isListed(result) ? result.rows : result) as Output<Name> };
  } catch (error) {
    const unavailable = unavailabilityOf(error);
    if (unavailable) return { ok: false, ...problemOfError(unavailable) };
    request.log.error(error);
    return { ok: false, status: 500, detail: withReference(refusals.serverFailed, request.id) };
  }
}

interface LoaderRequest {
  bearer: SessionUser;
  dependencies: CallDependencies;
  request: FastifyRequest;
}

interface CallResult {
  failed?: ProblemDetails;
  wait?: number;
  result?: unknown;
}

async function runCall(
  name: CallName,
  dependencies: CallDependencies,
  given: CallParts,
  caller: Caller,
  request: FastifyRequest,
): Promise<CallResult> {
  const call: Call = contract[name];
  const resource = parse(name, given, "params");
  if (resource.error) return { failed: problemOfInput(resource.error) };
  const { email } = (resource.parsed.params ?? {}) as { email?: string };
  const denial = caller.user && authorize(call.access, caller.user, email);
  if (denial) {
    await auditDenial(name, dependencies, caller.user as User, request);
    return { failed: denial };
  }
  // after access, so that a denied caller learns nothing about the input's rules
  const input = parse(name, given, "query", "body");
  if (input.error) return { failed: problemOfInput(input.error) };
  const parsed = { ...resource.parsed, ...input.parsed };
  if (call.stepUp && !caller.authentication?.fresh)
    return { failed: { status: 403, detail: refusals.confirmFirst, code: "identity_not_confirmed" } };
  const { user, authentication } = caller;
  const rules = callRateLimits(name, {
    user,
    confirmed: authentication?.confirmed,
    ip: ipOf(request),
    ...parsed,
  });
  const wait = rules.length > 0 ? await dependencies.limits.take(rules) : null;
  if (wait !== null) return { wait };
  const result = await runAsActor(actorOf(caller, request), () =>
    runOperation(name, dependencies, parsed, caller, request),
  );
  return { result };
}

async function auditDenial(
  name: CallName,
  { store, limits }: CallDependencies,
  user: User,
  request: FastifyRequest,
): Promise<void> {
  if ((await limits.take([{ what: "denied", of: user.id, max: 30, seconds: 3600 }])) !== null) return;
  await recordDeniedCall(store, name, { userId: user.id, ...clientInfo(request) });
}

async function runOperation(
  name: CallName,
  dependencies: CallDependencies,
  parsed: CallParts,
  caller: Caller,
  request: FastifyRequest,
): Promise<unknown> {
  const handler = handlers[name] as (context: HandlerContext, input: CallInput<never>) => Promise<unknown>;
  const operate = (store: Store, requestId: string) =>
    handler({ ...dependencies, store }, { ...parsed, ...caller, requestId } as CallInput<never>);
  const { access, method, idempotency = "none" }: Call = contract[name];
  if (access === "anyone" && method === "GET") return operate(dependencies.reading, randomUUID());
  if (idempotency === "none" || !caller.user) return operate(dependencies.store, randomUUID());
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  if (isRefusal(key)) return key;
  if (key === null) return operate(dependencies.store, randomUUID());
  return runOnce(
    dependencies.store,
    idempotency,
    { name, userId: caller.user.id, key, input: parsed },
    operate,
  );
}

interface Caller {
  user?: User;
  authentication?: AuthenticationState;
  session?: Session;
}

function actorOf({ user }: Caller, request: FastifyRequest): Actor {
  const trace = request.span?.traceparent;
  if (!user) return { who: null, role: "system", trace };
  return { who: user.id, role: user.role, ...clientInfo(request), trace };
}

function clientInfo(request: FastifyRequest): { ip?: string; agent?: string } {
  const ip = ipOf(request);
  const agent = request.headers["user-agent"];
  return { ...(ip && { ip }), ...(agent !== undefined && { agent }) };
}

async function findCaller(
  call: Call,
  dependencies: CallDependencies,
  request: FastifyRequest,
): Promise<Caller | (AuthError & { user?: User })> {
  if (call.access === "anyone") return {};
  if (call.access === "session") {
    const session = await sessionOf(request, dependencies);
    return "status" in session ? session : { session };
  }
  const bearer = await findBearer(call, dependencies, request);
  return "status" in bearer ? bearer : authorizeCaller(call, dependencies, bearer);
}

function authorizeCaller(
  call: Call,
  options: Pick<CallDependencies, "requireAdminSecondFactor">,
  bearer: SessionUser,
): Caller | (AuthError & { user: User }) {
  const { user } = bearer;
  if (lacksSecondFactor(bearer, options)) {
    if (call.access === "admin")
      return { status: 403, detail: refusals.secondFactorFirst, code: "second_factor_missing", user };
    return { ...bearer, user: { ...user, role: "user" } };
  }
  // before the input is parsed
  const denial = call.access === "admin" ? authorize("admin", user, undefined) : null;
  return denial ? { ...denial, user } : bearer;
}

/** By access token, or by session cookie for calls that the specification makes without a token. */
async function findBearer(
  call: Call,
  dependencies: CallDependencies,
  request: FastifyRequest,
): Promise<SessionUser | AuthError> {
  if (!call.acceptsSession || request.headers.authorization)
    return authenticateToken(request, dependencies.tokens);
  return sessionUserOf(request, dependencies);
}

interface CallParts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

const nothing = z.strictObject({}).optional();

/** Of a part that the call does not have: an amount in the query of a refund would be left out, and all refunded. */
function schemaOf(name: CallName, part: keyof CallParts): z.ZodType | undefined {
  const call: Call = contract[name];
  const ignores =
    part === "params" || ignoresUnknown(name) || (call.method === "GET" && call.access === "anyone");
  return call[part] ?? (ignores ? undefined : nothing);
}

function parse(
  name: CallName,
  given: CallParts,
  ...parts: (keyof CallParts)[]
): { parsed: CallParts; error?: undefined } | { error: z.ZodError } {
  const parsed: CallParts = {};
  for (const part of parts) {
    const result = schemaOf(name, part)?.safeParse(given[part] ?? undefined, { error: inputMessages });
    if (result?.error) return { error: result.error };
    // the digest of an idempotency key has no part that the call does not have
    if (contract[name][part]) parsed[part] = result?.data;
  }
  return { parsed };
}

function inputMessages(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "too_small" && issue.origin === "number" && issue.inclusive)
    return refusals.atLeast(Number(issue.minimum));
  if (issue.code === "too_big" && issue.origin === "number") return refusals.atMost(Number(issue.maximum));
  if (issue.code !== "invalid_type") return refusals.badInput;
  if (issue.expected === "number" || issue.expected === "int") return refusals.numberRequired;
  return issue.input === undefined ? refusals.required : refusals.badInput;
}

function isListed(result: unknown): result is Page<unknown> {
  return Array.isArray((result as Partial<Page<unknown>> | null | undefined)?.rows);
}

function sendList(request: FastifyRequest, reply: FastifyReply, { rows, next }: Page<unknown>) {
  if (next !== undefined) {
    // the same response is cached for every URL with this key
    const [path, query] = (cacheKey(request.url) ?? request.url).split("?");
    const search = new URLSearchParams(query);
    search.set("cursor", next);
    reply.header("Link", `<${path}?${search}>; rel="next"`);
  }
  return reply.send(rows);
}
