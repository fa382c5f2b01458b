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
  const given = keyOf(authorization) ?? keyInBody;
  if (given === undefined) return { caller: "nobody" };
  if (sameText(given, keys.secretKey)) return { caller: "secret" };
  if (sameText(given, keys.publishableKey)) return { caller: "publishable" };
  const masked = `${given.slice(0, 8)}${"*".repeat(8)}${given.slice(-4)}`;
  return {
    refusal: refused(401, {
      message: `Invalid API Key provided: ${given.length > 16 ? masked : "********"}`,
    }),
  };
}

export function needSecretKey(caller: Caller): SandboxResponse | null {
  if (caller === "secret") return null;
  if (caller === "nobody") return noKey();
  return refused(401, {
    code: "secret_key_required",
    message: "This API call cannot be made with a publishable API key. Please use a secret API key.",
  });
}

/** A call on an intent needs the secret key or the intent's client secret. */
export function needIntent(
  caller: Caller,
  row: IntentRow,
  clientSecret: string | undefined,
): SandboxResponse | null {
  if (clientSecret === undefined) {
    if (caller === "secret") return null;
    if (caller === "nobody") return noKey();
    return refused(400, {
      code: "parameter_missing",
      message: "Missing required param: client_secret.",
      param: "client_secret",
    });
  }
  if (sameText(clientSecret, row.client_secret)) return null;
  return refused(400, {
    code: "payment_intent_invalid_parameter",
    message: "The client_secret provided does not match the client_secret associated with the PaymentIntent.",
    param: "client_secret",
  });
}

function noKey(): SandboxResponse {
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

function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
