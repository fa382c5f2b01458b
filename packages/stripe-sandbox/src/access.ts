import { createHash, timingSafeEqual } from "node:crypto";
import { refused, type SandboxResponse } from "./responses.ts";
import type { IntentRow } from "./rows.ts";

export type Caller = "secret" | "publishable" | "nobody";

export interface Keys {
  secretKey: string;
  publishableKey: string;
}

/** Reads a Bearer key, Basic with the key as user name, or the body's `key`. Another key is 401. */
export function identify(
  authorization: string | undefined,
  keyInBody: string | undefined,
  keys: Keys,
): { caller: Caller } | { refusal: SandboxResponse } {
  const key = keyOf(authorization) ?? keyInBody;
  if (key === undefined) return { caller: "nobody" };
  if (isSameText(key, keys.secretKey)) return { caller: "secret" };
  if (isSameText(key, keys.publishableKey)) return { caller: "publishable" };
  const masked = `${key.slice(0, 8)}${"*".repeat(8)}${key.slice(-4)}`;
  return {
    refusal: refused(401, {
      message: `Invalid API Key provided: ${key.length > 16 ? masked : "********"}`,
    }),
  };
}

export function requireSecretKey(caller: Caller): SandboxResponse | null {
  if (caller === "secret") return null;
  if (caller === "nobody") return missingKey();
  return refused(401, {
    code: "secret_key_required",
    message: "This API call cannot be made with a publishable API key. Please use a secret API key.",
  });
}

/** A call on an intent needs the secret key or the intent's client secret. */
export function requireIntentAccess(
  caller: Caller,
  row: IntentRow,
  clientSecret: string | undefined,
): SandboxResponse | null {
  if (clientSecret === undefined) {
    if (caller === "secret") return null;
    if (caller === "nobody") return missingKey();
    return refused(400, {
      code: "parameter_missing",
      message: "Missing required param: client_secret.",
      param: "client_secret",
    });
  }
  if (isSameText(clientSecret, row.client_secret)) return null;
  return refused(400, {
    code: "payment_intent_invalid_parameter",
    message: "The client_secret provided does not match the client_secret associated with the PaymentIntent.",
    param: "client_secret",
  });
}

function missingKey(): SandboxResponse {
  return refused(401, {
    message:
      "You did not provide an API key. You need to provide your API key in the Authorization header, " +
      "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
  });
}

function keyOf(authorization: string | undefined): string | undefined {
  const [scheme = "", value = ""] = (authorization ?? "").split(" ", 2);
  if (scheme.toLowerCase() === "bearer" && value) return value;
  if (scheme.toLowerCase() === "basic" && value) return Buffer.from(value, "base64").toString().split(":")[0];
  return undefined;
}

function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
