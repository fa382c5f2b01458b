/**
 * Access tokens (specification, sections 3 and 7): signed, short-lived and bound to the identity session.
 * A token says which session it came from; whether that session still lives, and which role its user has,
 * is asked of the database at every call. So signing out ends every token at once.
 */
import { jwtVerify, SignJWT } from "jose";
import type pg from "pg";
import { createBatcher } from "../../shop/batch.ts";
import type { User } from "../../shop/store.ts";

/** How the holder of a token has proved who they are. */
export interface AuthenticationState {
  sessionId: string;
  /** within the last hour */
  fresh: boolean;
  secondFactor: boolean;
}

export interface Bearer {
  person: User;
  proof: AuthenticationState;
}

const LIFE = "15m";
/** Signatures that were checked need no second check while their tokens live. */
const MOST_CHECKED = 10_000;
const AT_ONCE = 2;
const MOST_TOGETHER = 64;

interface Claims {
  sid: string;
  sub: string;
  /** seconds since 1970 */
  exp: number;
}

export interface Tokens {
  issue(person: User, sessionId: string): Promise<string>;
  /** The person behind a token; null when it is forged, expired, or its session or account has ended. */
  read(token: string): Promise<Bearer | null>;
  /** The person of a session; null when it or the account has ended. */
  holderOf(sessionId: string, userId: string): Promise<Bearer | null>;
}

/** Tokens signed with `secret`, checked against the sessions in `pool`. */
export function openTokens(secret: string, pool: pg.Pool): Tokens {
  const key = new TextEncoder().encode(secret);
  const checked = new Map<string, Claims>();
  // a round is asked after all who share it have called, so nobody is told what was true before
  const findPerson = createBatcher({
    work: (asked: Asked[]) => findUsers(pool, asked),
    rounds: AT_ONCE,
    most: MOST_TOGETHER,
  });

  async function claimsOf(token: string): Promise<Claims | null> {
    const known = checked.get(token);
    if (known && known.exp > Date.now() / 1000) return known;
    checked.delete(token);
    const claims = await verify(token, key);
    if (claims) checked.set(token, claims);
    if (checked.size > MOST_CHECKED) checked.delete(checked.keys().next().value as string);
    return claims;
  }

  return {
    issue: (person, sessionId) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(person.id)
        .setIssuedAt()
        .setExpirationTime(LIFE)
        .sign(key),
    async read(token) {
      const claims = await claimsOf(token);
      return claims && findPerson({ sessionId: claims.sid, userId: claims.sub });
    },
    holderOf: (sessionId, userId) => findPerson({ sessionId, userId }),
  };
}

async function verify(token: string, key: Uint8Array): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify<{ sid: string }>(token, key, { algorithms: ["HS256"] });
    return { sid: payload.sid, sub: payload.sub as string, exp: payload.exp as number };
  } catch {
    // Forged, expired or not a token at all: for the caller it is all the same.
    return null;
  }
}

interface Asked {
  sessionId: string;
  userId: string;
}

/** Asks for the people behind these sessions as they are now; null for a session or an account that has ended. */
async function findUsers(pool: pg.Pool, asked: Asked[]): Promise<(Bearer | null)[]> {
  const { rows } = await pool.query<User & Omit<AuthenticationState, "sessionId"> & { place: number }>({
    name: "people-of-sessions",
    text: `SELECT asked.place::integer, u.id, u.email, u.name, u.role,
             s."confirmedAt" > now() - interval '1 hour' AS fresh, s."secondFactorAt" IS NOT NULL AS "secondFactor"
           FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked (session, person, place)
           JOIN identity.session s ON s.id = asked.session AND s."expiresAt" > now()
           JOIN shop.user u ON u.id = s."userId" AND u.id = asked.person
           WHERE u.disabled_at IS NULL AND u.deleted_at IS NULL`,
    values: [asked.map(({ sessionId }) => sessionId), asked.map(({ userId }) => userId)],
  });
  const found: (Bearer | null)[] = asked.map(() => null);
  for (const { place, fresh, secondFactor, ...person } of rows) {
    const { sessionId } = asked[place - 1] as Asked;
    found[place - 1] = { person, proof: { sessionId, fresh, secondFactor } };
  }
  return found;
}
