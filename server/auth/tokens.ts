/** Bound to a session, which is read from the database at every call, so signing out ends every token at once. */
import { jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { Queryable } from "../../database/client.ts";
import { findSessionUser, type SessionUser } from "../../shop/accounts/session-user.ts";
import type { User } from "../../shop/store.ts";

const LIFETIME = "15m";
const MAX_CACHED = 10_000;

interface Claims {
  sid: string;
  sub: string;
  exp: number;
}

export interface Tokens {
  issue(user: User, sessionId: string): Promise<string>;
  /** Null if the token is forged or expired, or its session or account has ended. */
  read(token: string): Promise<SessionUser | null>;
  findUser(sessionId: string, userId: string): Promise<SessionUser | null>;
}

export function openTokens(secret: string, pool: Queryable): Tokens {
  const key = new TextEncoder().encode(secret);
  const checked = new LRUCache<string, Claims>({ max: MAX_CACHED });

  async function claimsOf(token: string): Promise<Claims | null> {
    const known = checked.get(token);
    if (known && known.exp > Date.now() / 1000) return known;
    const claims = await verify(token, key);
    if (claims) checked.set(token, claims);
    return claims;
  }

  return {
    issue: (user, sessionId) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(user.id)
        .setIssuedAt()
        .setExpirationTime(LIFETIME)
        .sign(key),
    async read(token) {
      const claims = await claimsOf(token);
      return claims && findSessionUser(pool, claims.sid, claims.sub);
    },
    findUser: (sessionId, userId) => findSessionUser(pool, sessionId, userId),
  };
}

async function verify(token: string, key: Uint8Array): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify<{ sid: string }>(token, key, { algorithms: ["HS256"] });
    return { sid: payload.sid, sub: payload.sub as string, exp: payload.exp as number };
  } catch {
    return null;
  }
}
