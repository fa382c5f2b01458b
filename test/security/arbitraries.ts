/** Inputs generated from a call's schema: mostly valid, then modified in every way that a client can. */
import fc, { type Arbitrary } from "fast-check";
import { z } from "zod";
import type { Call } from "../../api/call.ts";

/** Texts that have caused failures in other programs. */
const nasty = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\uffff",
  "‮txt.exe",
  "é".normalize("NFD").repeat(50),
  "👩‍👩‍👧‍👦".repeat(20),
  "' OR 1=1 --",
  "'; DROP TABLE shop.user; --",
  "%00",
  "%",
  "\\",
  "{{7*7}}<%= 7*7 %>",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "javascript:alert(1)",
  "../../../../etc/passwd",
  "..%2f..%2fsecret",
  "a\r\nBcc: all@example.com",
  "=cmd|' /C calc'!A0",
  "__proto__",
  "constructor",
  "NaN",
  "1e309",
  "-0",
  "9".repeat(400),
  "x".repeat(9000),
  "2026-02-30T25:61:61Z",
  "00000000-0000-0000-0000-000000000000",
);

const anyText = fc.oneof(nasty, fc.string(), fc.string({ unit: "binary" }), fc.emailAddress(), fc.uuid());
const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.001, 1e-320, 1e15, 2 ** 31, 2 ** 53, 1e308),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anything = fc.oneof(
  anyText,
  anyNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], { $gt: "" }, { toString: "x" }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values for a schema: mostly valid, sometimes arbitrary. `known` are existing ids and emails. */
function valueFor(schema: z.core.JSONSchema._JSONSchema, known: Arbitrary<string>): Arbitrary<unknown> {
  if (typeof schema === "boolean") return anything;
  const valid = (): Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches) return fc.oneof(...branches.map((branch) => valueFor(branch, known)));
    if (schema.type === "object") return objectFor(schema, known);
    if (schema.type === "array")
      return fc.array(valueFor((schema.items as z.core.JSONSchema.JSONSchema) ?? {}, known), {
        maxLength: 5,
      });
    if (schema.type === "integer" || schema.type === "number")
      return fc.oneof(fc.integer({ min: 0, max: 200 }), anyNumber);
    if (schema.type === "boolean") return fc.boolean();
    if (schema.type === "string") return fc.oneof(known, fc.string({ minLength: 1, maxLength: 40 }), anyText);
    return anything;
  };
  return fc.oneof({ weight: 5, arbitrary: valid() }, { weight: 1, arbitrary: anything });
}

function objectFor(schema: z.core.JSONSchema.JSONSchema, known: Arbitrary<string>): Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {});
  const shape = Object.fromEntries(members.map(([name, member]) => [name, valueFor(member, known)]));
  const unknownMembers = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom("__proto__", "role", "email", "id", "price")),
    anything,
    { maxKeys: 2 },
  );
  return fc
    .tuple(fc.record(shape, { requiredKeys: [] }), unknownMembers, fc.boolean())
    .map(([given, more, withMore]) => (withMore ? { ...more, ...given } : given));
}

export interface Attack {
  params: Record<string, string>;
  query: string;
  /** bytes of the body, or none */
  body: Uint8Array | undefined;
  headers: Record<string, string>;
}

const contentTypes = fc.oneof(
  { weight: 12, arbitrary: fc.constant("application/json") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "text/plain",
      "application/json; charset=utf-16",
      "application/json;charset=x",
      "application/xml",
      "multipart/form-data",
      "application/x-www-form-urlencoded",
      "application/problem+json",
      "json",
    ),
  },
);

// what a client may send without being rejected by the HTTP parser
const headerText = fc.stringMatching(/^[\x21-\x7e]{0,80}$/);
const strangeHeaders = fc.record(
  {
    accept: headerText,
    "accept-encoding": headerText,
    "accept-language": headerText,
    authorization: fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
    ),
    cookie: headerText,
    "idempotency-key": fc.oneof(headerText, fc.constant("x".repeat(300))),
    "if-none-match": headerText,
    origin: fc.constantFrom("null", "https://evil.example", "x"),
    "sec-fetch-site": fc.constantFrom("cross-site", "none", "x"),
    "user-agent": headerText,
    "x-forwarded-for": fc.oneof(headerText, fc.constantFrom("127.0.0.1, ::1", "999.999.999.999", "[::1]:80")),
    "x-http-method-override": fc.constantFrom("DELETE", "PUT"),
    range: fc.constantFrom("bytes=0-", "bytes=-1", "x"),
  },
  { requiredKeys: [] },
);

/** Attacks on one call. */
export function attacksOn(call: Call, known: Arbitrary<string>): Arbitrary<Attack> {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const schemaOf = (schema: z.ZodType | undefined) =>
    (schema
      ? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })
      : {}) as z.core.JSONSchema.JSONSchema;
  const query = schemaOf(call.query).properties ?? {};
  const body = call.body ? valueFor(schemaOf(call.body), known) : anything;
  return fc.record({
    params: fc.record(
      Object.fromEntries(
        names.map((name) => [
          name,
          fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: anyText }),
        ]),
      ),
    ) as Arbitrary<Record<string, string>>,
    query: fc
      .dictionary(
        fc.oneof(
          fc.constantFrom("limit", "cursor", "q", "sort", ...Object.keys(query)),
          fc.string({ maxLength: 8 }),
        ),
        fc.oneof(anyText, anyNumber.map(String)),
        { maxKeys: 3 },
      )
      .map((given) =>
        Object.entries(given)
          .map(([name, value]) => `${quote(name)}=${quote(value.slice(0, 2000))}`)
          .join("&"),
      ),
    body:
      call.method === "GET"
        ? fc.constant(undefined)
        : fc.oneof(
            { weight: 8, arbitrary: body.map((value) => Buffer.from(JSON.stringify(value) ?? "")) },
            { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
            {
              weight: 1,
              arbitrary: body.map((value) => Buffer.from((JSON.stringify(value) ?? "").slice(0, -1))),
            },
            { weight: 1, arbitrary: fc.constant(undefined) },
          ),
    headers: fc
      .tuple(
        contentTypes,
        fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: strangeHeaders }),
      )
      .map(([type, more]) => ({ "content-type": type, ...(more as Record<string, string>) })),
  });
}

/** For a URL; a lone surrogate, which has no encoding, becomes invalid bytes. */
export function quote(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ed%a0%80";
}
