/** The browser's client of the contract: typed by it, and never silent about a failure. */
import { type Answer, type CallName, contract, type Input } from "../api/contract.ts";
import type { Problem } from "../api/entities.ts";
import { refusals } from "../shop/refusals.ts";
import { readPerson, readToken, storeToken } from "./session.ts";

export type Outcome<Value> =
  | { ok: true; data: Value /** the cursor of the next page of a list */; next?: string }
  | ({ ok: false } & Failure);

/** Why a call failed: `detail` for the person, `fields` by member of the input; status 0 = no connection. */
export interface Failure {
  status: number;
  detail: string;
  fields?: Problem["fields"];
  current?: Problem["current"];
  /** the record as it is now, where another change came first */
  present?: Problem["present"];
}

/**
 * Makes a call of the contract. The access token goes along where the call wants one; one that ran out is
 * renewed once, silently, as long as the identity session lives.
 */
export async function call<Name extends CallName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Outcome<Answer<Name>>> {
  const first = await send<Answer<Name>>(name, input as Parts, signal);
  if (first.ok || first.status !== 401 || !needsToken(name) || !(await renewToken())) return first;
  return send(name, input as Parts, signal);
}

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
}

async function send<Value>(name: CallName, input: Parts, signal?: AbortSignal): Promise<Outcome<Value>> {
  const { method, path } = contract[name];
  const token = needsToken(name) ? readToken() : null;
  try {
    const response = await fetch(fill(path, input), {
      method,
      headers: {
        Accept: "application/json",
        ...(input.body !== undefined && { "Content-Type": "application/json" }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      ...(signal && { signal }),
    });
    return await toOutcome<Value>(response);
  } catch (error) {
    if (signal?.aborted) throw error;
    return { ok: false, status: 0, detail: refusals.offline };
  }
}

async function toOutcome<Value>(response: Response): Promise<Outcome<Value>> {
  const content: unknown = await response.json();
  if (!response.ok) {
    const { detail, fields, current, present } = content as Problem;
    return {
      ok: false,
      status: response.status,
      detail,
      ...(fields && { fields }),
      ...(current && { current }),
      ...(present && { present }),
    };
  }
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  const cursor = next && new URL(next, location.origin).searchParams.get("cursor");
  return { ok: true, data: content as Value, ...(cursor && { next: cursor }) };
}

/** Asks for a new access token with the identity session's cookie; false when that has ended too. */
async function renewToken(): Promise<boolean> {
  const email = readPerson()?.email;
  if (!email) return false;
  const renewed = await send<Answer<"issueToken">>("issueToken", { params: { email }, body: { email } });
  if (renewed.ok) storeToken(renewed.data.token);
  return renewed.ok;
}

function needsToken(name: CallName): boolean {
  const { access } = contract[name];
  return access !== "anyone" && access !== "session";
}

function fill(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  return search ? `${filled}?${search}` : filled;
}
