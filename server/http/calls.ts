/** The routes of the JSON API, made from the contract: access first, then the input, then the operation. */
import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Call } from "../../api/call.ts";
import { type CallName, contract } from "../../api/contract.ts";
import { type Actor, actAs } from "../../shop/history/actor.ts";
import type { Listed } from "../../shop/page.ts";
import { isRefusal } from "../../shop/refusal.ts";
import { refusals } from "../../shop/refusals.ts";
import { type RequestKey, stillRunning } from "../../shop/request.ts";
import type { Person, Store } from "../../shop/store.ts";
import { noteRefusedCall } from "../../shop/users/activity.ts";
import { enrollUser } from "../../shop/users/enroll.ts";
import type { Limits } from "../limits.ts";
import type { Bearer, Proof } from "../tokens.ts";
import { type Denial, type Doors, denialFor, personOf, type Session, sessionOf } from "./access.ts";
import { callRules } from "./attempts.ts";
import { answerOnce, readKey } from "./idempotency.ts";
import { type Made, operations, type Shop } from "./operations.ts";
import { sendInvalid, sendProblem, sendRefusal, sendTooMany } from "./problem.ts";
import { addressOf } from "./web.ts";

export interface CallDependencies extends Shop, Doors {
  /** the store as calls that anyone may make read it, maybe from a replica */
  reading: Store;
  limits: Limits;
}

/** Adds one route for every call of the contract. */
export function addCalls(app: FastifyInstance, dependencies: CallDependencies): void {
  for (const name of Object.keys(contract) as CallName[]) {
    const call: Call = contract[name];
    app.route({
      method: call.method,
      url: call.path.replace(/\{(\w+)\}/g, ":$1"),
      config: call.method === "GET" && call.access === "anyone" ? { remember: "briefly" } : {},
      handler: (request, reply) => answer(name, call, dependencies, request, reply),
    });
  }
}

/** The methods that the contract has at an address, whatever its parameters are. */
export function methodsAt(path: string): string[] {
  const fits = (call: Call) => new RegExp(`^${call.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return Object.values<Call>(contract)
    .filter(fits)
    .map((call) => call.method);
}

async function answer(
  name: CallName,
  call: Call,
  shop: CallDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const caller = await callerOf(call, shop, request);
  if ("status" in caller) {
    if (caller.person) await noteDenial(name, shop, caller.person, request);
    return sendProblem(reply, caller.status, caller.detail);
  }
  if (caller.session && caller.session.renewed.length > 0) reply.header("set-cookie", caller.session.renewed);
  const address = parse(call, request, "params");
  if (address.error) return sendInvalid(reply, address.error);
  const { email } = (address.parsed.params ?? {}) as { email?: string };
  const denial = caller.person && denialFor(call.access, caller.person, email);
  if (denial) {
    await noteDenial(name, shop, caller.person as Person, request);
    return sendProblem(reply, denial.status, denial.detail);
  }
  // only now: whoever has just been refused learns nothing of its rules
  const input = parse(call, request, "query", "body");
  if (input.error) return sendInvalid(reply, input.error);
  const parsed = { ...address.parsed, ...input.parsed };
  if (call.stepUp && !caller.proof?.fresh) return sendProblem(reply, 403, refusals.confirmFirst);
  const rules = caller.person ? callRules(name, caller.person.id, addressOf(request)) : [];
  const wait = rules.length > 0 ? await shop.limits.take(rules) : null;
  if (wait !== null) return sendTooMany(reply, wait);
  const result = await actAs(actorOf(caller, request), () =>
    operateOnce(name, shop, parsed, caller, request),
  );
  if (result === stillRunning) reply.header("Retry-After", "1");
  if (isRefusal(result)) return sendRefusal(reply, result);
  reply.header("Cache-Control", call.access === "anyone" ? "no-cache" : "no-store");
  return isListed(result) ? sendList(request, reply, result) : reply.send(result);
}

/** Somebody tried what is not theirs: written down, but for who tries it again and again. */
async function noteDenial(
  name: CallName,
  { store, limits }: CallDependencies,
  person: Person,
  request: FastifyRequest,
): Promise<void> {
  if ((await limits.take([{ what: "denied", of: person.id, max: 30, seconds: 3600 }])) !== null) return;
  await noteRefusedCall(store, name, { userId: person.id, ...fromWhere(request) });
}

/** Does the operation of the call; under an idempotency key only once. */
async function operateOnce(
  name: CallName,
  shop: CallDependencies,
  parsed: Parsed,
  caller: Caller,
  request: FastifyRequest,
): Promise<unknown> {
  const operation = operations[name] as (shop: Shop, made: Made<never>) => Promise<unknown>;
  const operate = (store: Store, id: string, key?: RequestKey) =>
    operation({ ...shop, store }, { ...parsed, ...caller, request: id, key } as Made<never>);
  if (contract[name].access === "anyone") return operate(shop.reading, randomUUID());
  // no token and no password is kept, not even as a digest: to ask for another token changes nothing, and who proves
  // again who they are is to be fresh again
  const isUnkeyed = contract[name].method === "GET" || name === "confirmAccount";
  if (isUnkeyed || !caller.person) return operate(shop.store, randomUUID());
  const key = readKey(request.headers["idempotency-key"]);
  if (isRefusal(key)) return key;
  if (key === null) return operate(shop.store, randomUUID());
  return answerOnce(shop.store, { name, personId: caller.person.id, key, input: parsed }, operate);
}

interface Caller {
  person?: Person;
  proof?: Proof;
  session?: Session;
}

/** Who acts, for the history. A person who only asks for a token acts on nothing that has one. */
function actorOf({ person }: Caller, request: FastifyRequest): Actor {
  if (!person) return { who: null, role: "system" };
  return { who: person.id, role: person.role, ...fromWhere(request) };
}

function fromWhere(request: FastifyRequest): { ip?: string; agent?: string } {
  const ip = addressOf(request);
  const agent = request.headers["user-agent"];
  return { ...(ip && { ip }), ...(agent !== undefined && { agent }) };
}

async function callerOf(
  call: Call,
  shop: CallDependencies,
  request: FastifyRequest,
): Promise<Caller | (Denial & { person?: Person })> {
  if (call.access === "anyone") return {};
  if (call.access === "session") {
    const session = await sessionOf(request, shop);
    return "status" in session ? session : { session };
  }
  const bearer = await signedIn(call, shop, request);
  if ("status" in bearer) return bearer;
  const { person, proof } = bearer;
  if (shop.requireAdminSecondFactor && person.role === "admin" && !proof?.secondFactor) {
    if (call.access === "admin") return { status: 403, detail: refusals.secondFactorFirst, person };
    return { ...bearer, person: { ...person, role: "user" } };
  }
  // an admin's call is refused to others before anything of it is looked at
  const denial = call.access === "admin" ? denialFor("admin", person, undefined) : null;
  return denial ? { ...denial, person } : bearer;
}

/** By token; where the specification sends none, our own pages' session is enough. */
async function signedIn(
  call: Call,
  shop: CallDependencies,
  request: FastifyRequest,
): Promise<(Pick<Bearer, "person"> & { proof?: Proof }) | Denial> {
  if (!call.sessionWillDo || request.headers.authorization) return personOf(request, shop.tokens);
  const session = await sessionOf(request, shop);
  return "status" in session ? session : { person: await enrollUser(shop.store, session.user) };
}

interface Parsed {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

function parse(
  call: Call,
  request: FastifyRequest,
  ...parts: (keyof Parsed)[]
): { parsed: Parsed; error?: undefined } | { error: z.ZodError } {
  const parsed: Parsed = {};
  for (const part of parts) {
    const result = call[part]?.safeParse(request[part] ?? undefined, { error: inWords });
    if (result?.error) return { error: result.error };
    parsed[part] = result?.data;
  }
  return { parsed };
}

/** For the mistakes that the contract has no words of its own for. */
function inWords(issue: { code?: string; expected?: unknown; input?: unknown }): string {
  if (issue.code !== "invalid_type") return refusals.badInput;
  if (issue.expected === "number" || issue.expected === "int") return refusals.numberRequired;
  return issue.input === undefined ? refusals.required : refusals.badInput;
}

function isListed(result: unknown): result is Listed<unknown> {
  return typeof result === "object" && result !== null && "rows" in result;
}

function sendList(request: FastifyRequest, reply: FastifyReply, { rows, next }: Listed<unknown>) {
  if (next !== undefined) {
    const url = new URL(request.url, "http://store");
    url.searchParams.set("cursor", next);
    reply.header("Link", `<${url.pathname}${url.search}>; rel="next"`);
  }
  return reply.send(rows);
}
