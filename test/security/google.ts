/** A third-party Google emulator on its own port, and a user who signs in with it. */
import { createServer as createHttpServer, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createEmulator, type Emulator } from "emulate";
import type { TestStore } from "../harness/store.ts";

const client = { id: "stator.apps.googleusercontent.com", secret: "GOCSPX-a-secret-of-the-tests" };

export interface GoogleUser {
  email: string;
  name: string;
  email_verified?: boolean;
}

/**
 * Starts it on `port` with `users`, for a store at one or more `storeUrl`; `publicPort` is the port that clients use.
 */
export function openGoogle(
  port: number,
  storeUrl: string | string[],
  users: GoogleUser[],
  publicPort = port,
): Promise<Emulator> {
  return createEmulator({
    service: "google",
    port,
    baseUrl: `http://localhost:${publicPort}`,
    seed: {
      google: {
        users,
        oauth_clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            name: "Stator",
            redirect_uris: [storeUrl].flat().map((url) => `${url}/api/auth/callback/google`),
          },
        ],
      },
    },
  });
}

export interface GoogleProxy {
  /** its response to requests whose path contains this; null passes them on */
  override: { path: RegExp; respond: (response: ServerResponse) => void } | null;
  close(): Promise<void>;
}

/** A server on `port` in front of the Google on `behind`. */
export async function openGoogleProxy(port: number, behind: number): Promise<GoogleProxy> {
  const server = createHttpServer(async (request, response) => {
    if (proxy.override?.path.test(request.url ?? "")) return proxy.override.respond(response);
    const { "content-type": type, authorization, cookie } = request.headers;
    const forwarded = await fetch(`http://localhost:${behind}${request.url}`, {
      method: request.method ?? "GET",
      redirect: "manual",
      headers: {
        ...(type && { "content-type": type }),
        ...(authorization && { authorization }),
        ...(cookie && { cookie }),
      },
      ...(request.method === "POST" && { body: await text(request) }),
    });
    for (const name of ["content-type", "location"]) {
      const value = forwarded.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    response.writeHead(forwarded.status).end(await forwarded.text());
  });
  const proxy: GoogleProxy = {
    override: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  await new Promise<void>((done) => server.listen(port, done));
  return proxy;
}

/** The variables of a store that uses the Google on `port`. */
export function googleEnvironment(port: number): Record<string, string> {
  return {
    GOOGLE_CLIENT_ID: client.id,
    GOOGLE_CLIENT_SECRET: client.secret,
    GOOGLE_ISSUER: `http://localhost:${port}`,
  };
}

/** A minimal cookie jar. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** With the cookies of a Cookie header. */
  static of(header: string): CookieJar {
    const jar = new CookieJar();
    for (const pair of header.split("; ")) jar.keep(new Response(null, { headers: [["set-cookie", pair]] }));
    return jar;
  }

  keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (!name) continue;
      if (/max-age=0\b/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value ?? "");
    }
    return response;
  }

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

/** A request to a server that the browser knows by another host; `fetch` cannot set the Host header. */
export function fetchAs(
  host: string,
  url: URL | string,
  { method = "GET", headers, body }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, host } }, async (respond) => {
      const fields = Object.entries(respond.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      resolve(new Response(await text(respond), { status: respond.statusCode ?? 0, headers: fields }));
    });
    sent.on("error", reject).end(body);
  });
}

/** Asks the store, opened at `origin`, for Google's sign-in page. */
export async function startGoogle(
  store: TestStore,
  jar: CookieJar,
  path = "sign-in/social",
  origin = store.url,
): Promise<URL> {
  const response = jar.keep(
    await fetchAs(new URL(origin).host, `${store.url}/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, cookie: jar.header },
      body: JSON.stringify({
        provider: "google",
        callbackURL: "/login?google=1&from=%2Ftools",
        errorCallbackURL: "/login?google=1&from=%2Ftools",
      }),
    }),
  );
  const body = await response.json();
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${JSON.stringify(body)}`);
  return new URL(body.url);
}

/** Chooses an account on Google's page; returns the redirect. */
export async function chooseAccount(page: URL, email: string): Promise<URL> {
  const html = await (await fetch(page)).text();
  const form = html.split("<form").find((part) => part.includes(email));
  if (!form) throw new Error(`Google does not offer ${email}: ${html.slice(0, 2000)}`);
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name) fields.set(name, (/value="([^"]*)"/.exec(input)?.[1] ?? "").replaceAll("&amp;", "&"));
  }
  const action = new URL(/action="([^"]*)"/.exec(form)?.[1] ?? "", page);
  const sent = await fetch(action, { method: "POST", body: fields, redirect: "manual" });
  const location = sent.headers.get("location");
  if (!location) throw new Error(`Google responded ${sent.status}: ${(await sent.text()).slice(0, 500)}`);
  return new URL(location);
}

/** The complete flow to Google and back; returns the store's final redirect. */
export async function throughGoogle(
  store: TestStore,
  jar: CookieJar,
  email: string,
  path?: string,
): Promise<string> {
  const back = await chooseAccount(await startGoogle(store, jar, path), email);
  return followRedirect(jar, back);
}

/** Follows Google's redirect; `listening` is the store's port if it differs from the browser's. */
export async function followRedirect(jar: CookieJar, back: URL, listening = back.origin): Promise<string> {
  const url = new URL(back.pathname + back.search, listening);
  const response = jar.keep(await fetchAs(back.host, url, { headers: { cookie: jar.header } }));
  return response.headers.get("location") ?? `${response.status}: ${await response.text()}`;
}
