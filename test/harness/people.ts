/** Users of a store, signed in through its own endpoints. */
import { randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { type Client, clientOf, replyOf } from "./client.ts";
import type { TestStore } from "./store.ts";

export interface SignedIn extends Client {
  name: string;
  email: string;
  password: string;
  token: string;
  /** the Cookie header of the session */
  cookie: string;
  /** Ends the session. */
  signOut(): Promise<void>;
}

interface Account {
  name: string;
  email: string;
  password: string;
}

/** Registers an account like the register page, and signs it in. */
export async function register(
  store: TestStore,
  name = "Ada Buyer",
  user = name.toLowerCase().replace(/\W+/g, "."),
): Promise<SignedIn> {
  const email = `${user}.${randomBytes(4).toString("hex")}@buyers.example`;
  const account = { name, email, password: "a good password" };
  return authenticate(store, "/api/auth/sign-up/email", account);
}

/** Buyers without a password: hashing fifty takes seconds. */
export async function buyersWithSessions(store: TestStore, many: number): Promise<Client[]> {
  const { rows } = await store.pool.query<{ sid: string; sub: string }>(
    `WITH person AS (
       INSERT INTO identity."user" (name, email)
       SELECT 'Buyer', gen_random_uuid() || '@buyers.example' FROM generate_series(1, $1)
       RETURNING id, name, email
     ), buyer AS (
       INSERT INTO shop.user (id, name, email) SELECT id, name, email FROM person RETURNING id
     )
     INSERT INTO identity.session ("userId", token, "expiresAt")
     SELECT id, gen_random_uuid(), now() + interval '1 hour' FROM buyer
     RETURNING id AS sid, "userId" AS sub`,
    [many],
  );
  const tokens = rows.map(({ sid, sub }) => signToken({ sid, sub }, store.tokenSecret, 900));
  return (await Promise.all(tokens)).map((token) => clientOf(store, { token }));
}

/** Signs in an existing account. */
export function logIn(
  store: Pick<TestStore, "url">,
  account: Omit<Account, "name"> & { name?: string },
): Promise<SignedIn> {
  return authenticate(store, "/api/auth/sign-in/email", { name: "", ...account });
}

/** The store's first admin. */
export function adminOf(store: TestStore): Promise<SignedIn> {
  return logIn(store, store.admin);
}

async function authenticate(
  store: Pick<TestStore, "url">,
  path: string,
  account: Account,
): Promise<SignedIn> {
  const response = await postIdentity(store, path, account);
  const { body } = await replyOf(response);
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(body)}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const { email } = account;
  const { token } = await clientOf(store, { cookie }).call("issueToken", {
    params: { email },
    body: { email },
  });
  return {
    ...account,
    name: body.user.name,
    token,
    cookie,
    ...clientOf(store, { token, cookie }),
    signOut: async () => {
      const ended = await postIdentity(store, "/api/auth/sign-out", {}, cookie);
      if (!ended.ok) throw new Error(`signing out was answered ${ended.status}`);
    },
  };
}

/** A request to the identity library, as a page of the store sends it. */
export function postIdentity(
  store: Pick<TestStore, "url">,
  path: string,
  body: object,
  cookie?: string,
): Promise<Response> {
  return fetch(`${store.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: store.url, ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });
}

/** A token for the session of `person`, which expired a minute ago. */
export function expiredTokenOf(store: TestStore, person: SignedIn): Promise<string> {
  return signAgain(person, store.tokenSecret, -60);
}

/** A copy of `person`'s token, signed with another key. */
export function forgedTokenOf(person: SignedIn): Promise<string> {
  return signAgain(person, "not the key of this store, though long", 900);
}

/** A copy of `person`'s token that claims to need no signature. */
export function unsignedTokenOf(person: SignedIn): string {
  const header = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  return `${header}.${person.token.split(".")[1]}.`;
}

function signAgain(person: SignedIn, secret: string, lifeInSeconds: number): Promise<string> {
  const claims = JSON.parse(Buffer.from(person.token.split(".")[1] ?? "", "base64url").toString());
  return signToken(claims, secret, lifeInSeconds);
}

function signToken(
  { sid, sub }: { sid: string; sub: string },
  secret: string,
  lifeInSeconds: number,
): Promise<string> {
  return new SignJWT({ sid })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifeInSeconds)
    .sign(new TextEncoder().encode(secret));
}
