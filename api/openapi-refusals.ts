/** The responses of refused calls. Which of them a call may give follows from its declaration. */
import type { Call } from "./call.ts";
import type { Schema } from "./openapi-schemas.ts";

const integer = { schema: { type: "integer" } };
const retryAfter = { "Retry-After": { description: "Seconds to wait", ...integer } };

const refusals = {
  BadRequest: [400, "The body is not valid JSON in UTF-8"],
  Unauthorized: [401, "No valid access token, or session where one is accepted"],
  Forbidden: [403, "Somebody else's, or only for admins, or the sign-in must be confirmed first"],
  NotFound: [404, "What the id names does not exist"],
  Conflict: [409, "The current state does not allow it, or another request came first"],
  TooLarge: [413, "The body is too large"],
  UnsupportedMediaType: [415, "The body has another content type"],
  Invalid: [422, "`fields` names what to correct; `lines.0.quantity` is a member of a list"],
  TooManyRequests: [429, "Too many requests or attempts", retryAfter],
  Unavailable: [503, "Try again later, with the same Idempotency-Key", retryAfter],
} as const satisfies Record<string, readonly [number, string, Schema?]>;

const problemContent = {
  "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
};

export const refusalComponents: Schema = Object.fromEntries(
  Object.entries<readonly [number, string, Schema?]>(refusals).map(([name, [, description, headers]]) => [
    name,
    { description, ...(headers && { headers }), content: problemContent },
  ]),
);

export const otherRefusal: Schema = { description: "Refused, with the reason", content: problemContent };

type Declared = Pick<Call, "access" | "method"> & Partial<Record<"params" | "query" | "body", unknown>>;

export function refusalsOf({ access, method, params, query, body }: Declared, bodySchema?: Schema): Schema {
  const isWrite = method !== "GET";
  const given: Record<keyof typeof refusals, unknown> = {
    BadRequest: body,
    Unauthorized: access !== "anyone",
    Forbidden: access !== "anyone",
    NotFound: params ?? (bodySchema && JSON.stringify(bodySchema).includes('"format":"uuid"')),
    Conflict: isWrite,
    TooLarge: body,
    UnsupportedMediaType: body,
    Invalid: (params ?? query ?? body) || isWrite,
    TooManyRequests: true,
    Unavailable: true,
  };
  const names = Object.keys(refusals) as (keyof typeof refusals)[];
  return Object.fromEntries(
    names
      .filter((name) => given[name])
      .map((name) => [refusals[name][0], { $ref: `#/components/responses/${name}` }]),
  );
}
