import type { Call } from "../../api/call.ts";
import { type CallName, contract, type Input, type Output } from "../../api/contract.ts";
import type { TestStore } from "./store.ts";

export interface Credentials {
  token?: string;
  /** the Cookie header */
  cookie?: string;
  /** further headers of every request */
  headers?: Record<string, string>;
}

/** Test code asserts the members of `body`. */
export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose members the test asserts
  body: any;
}

/** The parts of a call, which may be invalid. */
export interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
}

export interface Client {
  /** A request with the credentials. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a call, also an invalid one, and returns the response, whatever its status. */
  send(name: CallName, parts?: Parts, headers?: Record<string, string>): Promise<Reply>;
  /** Makes a call that must succeed; returns its body. */
  call<Name extends CallName>(name: Name, input: Input<Name>): Promise<Output<Name>>;
}

/** Signed out without credentials. */
export function clientOf(
  store: Pick<TestStore, "url">,
  { token, cookie, headers }: Credentials = {},
): Client {
  const credentials = {
    ...headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(cookie !== undefined && { cookie }),
  };
  const client: Client = {
    fetch: (path, init = {}) =>
      fetch(`${store.url}${path}`, {
        redirect: "manual",
        ...init,
        headers: { ...credentials, ...(init.headers as Record<string, string>) },
      }),
    async send(name, parts = {}, headers = {}) {
      if ((contract[name] as Call).upload) {
        const form = formOf(parts.body as Record<string, unknown>);
        const { method } = contract[name];
        return replyOf(await client.fetch(urlOf(name, parts), { method, body: form, headers }));
      }
      const hasBody = parts.body !== undefined;
      const response = await client.fetch(urlOf(name, parts), {
        method: contract[name].method,
        headers: { ...(hasBody && { "content-type": "application/json" }), ...headers },
        ...(hasBody && { body: JSON.stringify(parts.body) }),
      });
      return replyOf(response);
    },
    async call(name, input) {
      const { status, body } = await client.send(name, input as Parts);
      if (status >= 300) throw new Error(`${name} responded ${status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
  return client;
}

/** A form; its file is given by name and content. */
function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (name !== "file") form.append(name, String(value));
    else {
      const { name: fileName, content } = value as { name: string; content: BlobPart };
      form.append("file", new File([content], fileName));
    }
  }
  return form;
}

/** Non-JSON stays text. */
export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
  };
}

/** The path of a call with its parameters and query. */
export function urlOf(name: CallName, { params = {}, query = {} }: Parts): string {
  const path = contract[name].path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  return search.size > 0 ? `${path}?${search}` : path;
}
