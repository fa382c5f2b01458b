/** A Google that the project did not write, on a port of its own, and a person who signs in with it. */
import { createServer } from "node:net";
import { createEmulator, type Emulator } from "emulate";
import type { TestStore } from "../harness/store.ts";

export const client = { id: "stator.apps.googleusercontent.com", secret: "GOCSPX-a-secret-of-the-tests" };

export interface GoogleUser {
  email: string;
  name: string;
  email_verified?: boolean;
}

/** Starts it on `port`, knowing `users`, for a store at `storeUrl`. */
export function openGoogle(port: number, storeUrl: string, users: GoogleUser[]): Promise<Emulator> {
  return createEmulator({
    service: "google",
    port,
    baseUrl: `http://localhost:${port}`,
    seed: {
      google: {
        users,
        oauth_clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            name: "Stator",
            redirect_uris: [`${storeUrl}/api/auth/callback/google`],
          },
        ],
      },
    },
  });
}

/** The variables of a store that signs in with the Google on `port`. */
export function googleEnvironment(port: number): Record<string, string> {
  return {
    GOOGLE_CLIENT_ID: client.id,
    GOOGLE_CLIENT_SECRET: client.secret,
    GOOGLE_ISSUER: `http://localhost:${port}`,
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

/** A browser's cookies, as far as these tests need one. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

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

/** Asks the store where Google wants the person: the address of its page. */
export async function startGoogle(store: TestStore, jar: CookieJar, path = "sign-in/social"): Promise<URL> {
  const response = jar.keep(
    await fetch(`${store.url}/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: store.url, cookie: jar.header },
      body: JSON.stringify({
        provider: "google",
        callbackURL: "/login?google=1&from=%2Ftools",
        errorCallbackURL: "/login?google=1&from=%2Ftools",
      }),
    }),
  );
  const body = await response.json();
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(body)}`);
  return new URL(body.url);
}

/** Chooses an account on Google's page; answers where Google sends the person. */
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
  if (!location) throw new Error(`Google answered ${sent.status}: ${(await sent.text()).slice(0, 500)}`);
  return new URL(location);
}

/** The whole way to Google and back; answers where the store sends the person in the end. */
export async function throughGoogle(
  store: TestStore,
  jar: CookieJar,
  email: string,
  path?: string,
): Promise<string> {
  const back = await chooseAccount(await startGoogle(store, jar, path), email);
  return followBack(jar, back);
}

export async function followBack(jar: CookieJar, back: URL): Promise<string> {
  const answered = jar.keep(await fetch(back, { redirect: "manual", headers: { cookie: jar.header } }));
  return answered.headers.get("location") ?? `${answered.status}: ${await answered.text()}`;
}
