/** Stripe's API for test cards only. Its state is in the schema `sandbox`, shared by all processes. */
import type {} from "@fastify/rate-limit";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type pg from "pg";
import { type Caller, identify, type Keys, requireSecretKey } from "./access.ts";
import { deliverPendingEvents } from "./deliver.ts";
import { type Form, parseForm } from "./form.ts";
import { acceptForms, pathOf, readParamsText, send } from "./http.ts";
import {
  type Db,
  fingerprint,
  insertOnce,
  runOnce,
  type SerializedResponse,
  serialize,
} from "./idempotency.ts";
import { newId } from "./identifiers.ts";
import { refused, type SandboxResponse } from "./responses.ts";
import { type Route, routes } from "./routes.ts";
import { DELAY_MS, startDispatcher } from "./webhook-dispatcher.ts";

export interface SandboxOptions extends Keys {
  pool: pg.Pool;
  /** A function, because the port may be unknown before the store listens. */
  webhook: { url: () => string; secret: string };
  /** Called after each change; posts all due events to the webhook by default. */
  deliver?: () => Promise<unknown>;
  isUnavailable?: (error: unknown) => boolean;
}

/** Mount it with prefix `/sandbox/stripe/v1`. Closing the server waits for a running delivery. */
export const sandbox: FastifyPluginAsync<SandboxOptions> = async (app, options) => {
  const { pool, webhook } = options;
  const deliver =
    options.deliver ?? (() => deliverPendingEvents(pool, webhook.url(), webhook.secret, DELAY_MS));
  const events = startDispatcher(deliver, (error) =>
    app.log.error(error, "sandbox events were not delivered"),
  );
  app.addHook("onClose", events.finish);
  acceptForms(app, options.isUnavailable ?? (() => false));
  // The store's own calls all come from one address; a limit for visitors must not stop them.
  const isFromStore = (request: FastifyRequest) => {
    const identified = identify(request.headers.authorization, undefined, options);
    return "caller" in identified && identified.caller === "secret";
  };
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path,
      config: { rateLimit: { allowList: isFromStore } },
      handler: async (request, reply) => {
        const requestId = newId("req");
        const response = await handleCall(route, request, requestId, options);
        if (route.method === "POST" && response.changed) events.wake();
        return send(request, reply, requestId, response);
      },
    });
  }
};

interface CallContext {
  pool: pg.Pool;
  form: Form;
  caller: Caller;
  requestId: string;
}

async function handleCall(
  route: Route,
  request: FastifyRequest,
  requestId: string,
  options: SandboxOptions,
): Promise<SerializedResponse> {
  const parsed = parseForm(readParamsText(request));
  if ("reason" in parsed)
    return serialize(refused(400, { code: "parameter_unknown", message: parsed.reason }));
  const { form } = parsed;
  const identified = identify(
    request.headers.authorization,
    typeof form.key === "string" ? form.key : undefined,
    options,
  );
  if ("refusal" in identified) return serialize(identified.refusal);
  const refusal = route.access === "secretKey" ? requireSecretKey(identified.caller) : null;
  if (refusal) return serialize(refusal);
  return runCall(route, request, { pool: options.pool, form, caller: identified.caller, requestId });
}

async function runCall(
  route: Route,
  request: FastifyRequest,
  context: CallContext,
): Promise<SerializedResponse> {
  const { pool, form, caller, requestId } = context;
  const id = (request.params as { id?: string }).id ?? "";
  if (route.method === "GET") return serialize(await route.run({ db: pool, caller, id }, form));
  const key = request.headers["idempotency-key"];
  if (key !== undefined && (Array.isArray(key) || key.length === 0 || key.length > 255))
    return serialize(badKey());
  const run = (db: Db) => route.run({ db, caller, id }, form);
  if (key === undefined && route.isAtomic) return serialize(await run(pool));
  const call = { caller, key, fingerprint: fingerprint(route.method, pathOf(request), form), requestId };
  const insert = key === undefined ? null : route.insert?.(form);
  return insert ? insertOnce(pool, call, insert) : runOnce(pool, call, run);
}

function badKey(): SandboxResponse {
  return refused(400, { type: "idempotency_error", message: "An idempotency key has 1 to 255 characters." });
}
