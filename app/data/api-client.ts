/** The browser's typed client of the contract. Failures are returned, never swallowed. */
import { callTable } from "virtual:call-table";
import type { CallName, Input, Output } from "../../api/contract.ts";
import type { Problem } from "../../api/entities.ts";
import { type Failure, type Outcome, withReference } from "../../api/outcome.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { checkConnection } from "./connection.ts";
import { readToken, readUser, storeToken } from "./session.ts";

/**
 * Makes a call of the contract. The access token is sent if the call needs it; an expired one is renewed once while
 * the session is valid. A write has an idempotency key: if its response is lost, it is retried once with the same
 * key. Pass the `key` if several calls are the same intent.
 */
export async function call<Name extends CallName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
  key = newKey(),
): Promise<Outcome<Output<Name>>> {
  const parts: Parts = { ...input, ...(/^\w/.test(callTable[name]) && { key }) };
  const email = readUser()?.email;
  // what this user sent would be repeated for another one
  const isOther = () => email !== undefined && readUser()?.email !== email;
  let response = await send<Output<Name>>(name, parts, signal);
  if (parts.key && !response.ok && isLost(response)) {
    await pause((response.retryAfter ?? 1) * 1000);
    if (isOther()) return response;
    response = await send(name, parts, signal);
  }
  if (response.ok || response.status !== 401 || !needsToken(name)) return response;
  if (isOther() || !(await renewToken())) return response;
  return send(name, parts, signal);
}

/** Not `randomUUID`, which browsers offer only on pages with TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether the outcome is unknown: no response of the store, or the first request is still running. */
export function isLost({ status, retryAfter }: Failure): boolean {
  return status === 0 || retryAfter !== undefined;
}

/** Whether a request without a success may have taken effect all the same. */
export function mayHaveTakenEffect(failure: Failure): boolean {
  return isLost(failure) || failure.status >= 500;
}

/** Given before the key is looked at: an earlier request under it may have taken effect. */
const BEFORE_THE_KEY = [401, 403, 429];

/**
 * Whether the store has decided. After a failure of the store the request may have taken effect: only under the same
 * key it cannot do so twice.
 */
export function isDecided(outcome: Outcome<unknown>): boolean {
  return outcome.ok || !(mayHaveTakenEffect(outcome) || BEFORE_THE_KEY.includes(outcome.status));
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  key?: string;
}

async function send<Value>(name: CallName, input: Parts, signal?: AbortSignal): Promise<Outcome<Value>> {
  const [method = "", path = ""] = callTable[name].split(/[ :](.*)/);
  const token = needsToken(name) ? readToken() : null;
  const hasJson = input.body !== undefined && !(input.body instanceof FormData);
  try {
    const response = await fetch(fill(path, input), {
      method: method || "GET",
      headers: {
        Accept: "application/json",
        ...(hasJson && { "Content-Type": "application/json" }),
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(input.key !== undefined && { "Idempotency-Key": input.key }),
      },
      ...(input.body !== undefined && {
        body: hasJson ? JSON.stringify(input.body) : (input.body as FormData),
      }),
      ...(signal && { signal }),
    });
    return await toOutcome<Value>(response);
  } catch (error) {
    if (signal?.aborted) throw error;
    void checkConnection();
    return { ok: false, status: 0, detail: refusals.offline };
  }
}

async function toOutcome<Value>(response: Response): Promise<Outcome<Value>> {
  const content = parse(await response.text());
  if (!response.ok || content === undefined) {
    const { detail, requestId, ...problem } = (content ?? {}) as Partial<Problem>;
    const { status } = response;
    if (!detail) {
      // from a proxy that does not reach the store: the outcome is unknown
      void checkConnection();
      return { ok: false, status, detail: refusals.serverNotReady, retryAfter: 1 };
    }
    const retryAfter = Number(response.headers.get("Retry-After"));
    return {
      ok: false,
      ...problem,
      status,
      detail: status === 500 && requestId ? withReference(detail, requestId) : detail,
      ...(status === 409 && retryAfter > 0 && { retryAfter }),
    };
  }
  return { ok: true, data: content as Value };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Requests a new access token with the session cookie; false if the session has ended too. */
async function renewToken(): Promise<boolean> {
  const email = readUser()?.email;
  if (!email) return false;
  const renewed = await send<Output<"issueToken">>("issueToken", { params: { email }, body: { email } });
  // another user may have signed in meanwhile, or this one out
  if (!renewed.ok || readUser()?.email !== email) return false;
  storeToken(renewed.data.token);
  return true;
}

function needsToken(name: CallName): boolean {
  return callTable[name].includes(" /");
}

function fill(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return search ? `${filled}?${search}` : filled;
}
