/** Users of a store, signed in. */
import { createHmac, randomBytes } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { SignJWT } from "jose";
import type pg from "pg";
import { type Client, clientOf, replyOf } from "./client.ts";
import type { TestStore } from "./store.ts";

export interface SignedIn extends Client {
  name: string;
  email: string;
  password: string;
  token: string;
  /** the Cookie header of the session */
  cookie: string;
  /** as a browser remembers it; a user without one is a buyer */
  role?: "admin";
  /** Ends the session. */
  signOut(): Promise<void>;
}

interface Account {
  name: string;
  email: string;
  password: string;
}

type AnyStore = Pick<TestStore, "url"> & Partial<TestStore>;

const PASSWORD = "a good password";

const passwordHashes = new Map<string, Promise<string>>();

/** Adds the rows that a sign-up adds, without its hashing and emails, which take a tenth of a second. */
async function addAccount(pool: pg.Pool, { name, email, password }: Account): Promise<void> {
  const hash = passwordHashes.get(password) ?? hashPassword(password);
  passwordHashes.set(password, hash);
  await pool.query(
    `WITH added AS (
       INSERT INTO identity."user" (name, email) VALUES ($1, lower($2)) RETURNING id, name, email
     ), credential AS (
       INSERT INTO identity.account ("accountId", "providerId", "userId", password)
       SELECT id, 'credential', id, $3 FROM added
     )
     INSERT INTO shop.user (id, name, email) SELECT id, name, email FROM added`,
    [name, email, await hash],
  );
}

/** Adds the admin that the first start adds from `ADMIN_EMAIL` and `ADMIN_PASSWORD`; a later start keeps the account. */
export async function addFirstAdmin(pool: pg.Pool, { email, password }: TestStore["admin"]): Promise<void> {
  await addAccount(pool, { name: "Store Admin", email, password });
  await verifyEmail(pool, email);
  await pool.query("UPDATE shop.user SET role = 'admin' WHERE email = $1", [email]);
}

export async function verifyEmail(pool: pg.Pool, email: string): Promise<void> {
  await pool.query(`UPDATE identity."user" SET "emailVerified" = true WHERE email = $1`, [email]);
}

/** Whether the store runs in this process, so that rows can be added and cookies signed for it. */
function runsInProcess(store: AnyStore): store is TestStore {
  return store.pool !== undefined && store.cookieSecret !== undefined;
}

/** A new account and a session of it: as rows, or through the endpoints of a store in another process. */
export async function register(store: AnyStore, name = "Ada Buyer", user?: string): Promise<SignedIn> {
  if (!runsInProcess(store)) return signUp(store, name, user);
  const account = accountOf(name, user);
  await addAccount(store.pool, account);
  return openSession(store, account, "by registering");
}

/** Registers an account like the register page, which also signs it in. */
export function signUp(store: AnyStore, name?: string, user?: string): Promise<SignedIn> {
  return authenticate(store, "/api/auth/sign-up/email", accountOf(name, user));
}

function accountOf(name = "Ada Buyer", user = name.toLowerCase().replace(/\W+/g, ".")): Account {
  const email = `${user}.${randomBytes(4).toString("hex")}@buyers.example`;
  return { name, email, password: PASSWORD };
}

/** Buyers without a password: hashing fifty takes seconds. */
export async function buyersWithSessions(store: TestStore, count: number): Promise<Client[]> {
  const { rows } = await store.pool.query<{ sid: string; sub: string }>(
    `WITH added AS (
       INSERT INTO identity."user" (name, email)
       SELECT 'Buyer', gen_random_uuid() || '@buyers.example' FROM generate_series(1, $1)
       RETURNING id, name, email
     ), buyer AS (
       INSERT INTO shop.user (id, name, email) SELECT id, name, email FROM added RETURNING id
     )
     INSERT INTO identity.session ("userId", token, "expiresAt")
     SELECT id, gen_random_uuid(), now() + interval '1 hour' FROM buyer
     RETURNING id AS sid, "userId" AS sub`,
    [count],
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
export async function adminOf(store: AnyStore & Pick<TestStore, "admin">): Promise<SignedIn> {
  const admin = runsInProcess(store)
    ? await openSession(store, { name: "Store Admin", ...store.admin }, "with a password")
    : await logIn(store, store.admin);
  return { ...admin, role: "admin" };
}

/** Another session of an account, without checking its password, which takes a tenth of a second. */
export function anotherSession(store: TestStore, user: SignedIn): Promise<SignedIn> {
  return openSession(store, user, "with a password");
}

/** Adds the rows of a sign-in, without checking the password. */
async function openSession(store: TestStore, account: Account, detail: string): Promise<SignedIn> {
  const key = randomBytes(24).toString("base64url");
  const { rows } = await store.pool.query<{ sid: string; sub: string }>(
    `WITH opened AS (
       INSERT INTO identity.session ("userId", token, "expiresAt", "ipAddress", "userAgent")
       SELECT id, $2, now() + interval '1 year', '127.0.0.1', 'node'
       FROM identity."user" WHERE email = lower($1)
       RETURNING id, "userId", "ipAddress", "userAgent"
     ), event AS (
       INSERT INTO identity.account_event (user_id, what, detail, ip, agent)
       SELECT "userId", 'Signed in', $3, "ipAddress", "userAgent" FROM opened
     )
     SELECT id AS sid, "userId" AS sub FROM opened`,
    [account.email, key, detail],
  );
  if (!rows[0]) throw new Error(`${account.email} has no account.`);
  const signature = createHmac("sha256", store.cookieSecret).update(key).digest("base64");
  const prefix = store.url.startsWith("https:") ? "__Host-stator" : "stator";
  const cookie = `${prefix}.session_token=${encodeURIComponent(`${key}.${signature}`)}`;
  return signedIn(store, account, await signToken(rows[0], store.tokenSecret, 900), cookie);
}

async function authenticate(
  store: Pick<TestStore, "url">,
  path: string,
  account: Account,
): Promise<SignedIn> {
  const response = await postIdentity(store, path, account);
  const { body } = await replyOf(response);
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${JSON.stringify(body)}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const { email } = account;
  const { token } = await clientOf(store, { cookie }).call("issueToken", {
    params: { email },
    body: { email },
  });
  return signedIn(store, { ...account, name: body.user.name }, token, cookie);
}

function signedIn(store: Pick<TestStore, "url">, account: Account, token: string, cookie: string): SignedIn {
  return {
    ...account,
    token,
    cookie,
    ...clientOf(store, { token, cookie }),
    signOut: async () => {
      const response = await postIdentity(store, "/api/auth/sign-out", {}, cookie);
      if (!response.ok) throw new Error(`signing out responded ${response.status}`);
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

/** A token for the session of `user`, which expired a minute ago. */
export function expiredTokenOf(store: TestStore, user: SignedIn): Promise<string> {
  return resignToken(user, store.tokenSecret, -60);
}

/** A copy of `user`'s token, signed with another key. */
export function forgedTokenOf(user: SignedIn): Promise<string> {
  return resignToken(user, "not the key of this store, though long", 900);
}

/** A copy of `user`'s token that claims to need no signature. */
export function unsignedTokenOf(user: SignedIn): string {
  const header = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  return `${header}.${user.token.split(".")[1]}.`;
}

function resignToken(user: SignedIn, secret: string, lifeInSeconds: number): Promise<string> {
  const claims = JSON.parse(Buffer.from(user.token.split(".")[1] ?? "", "base64url").toString());
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
