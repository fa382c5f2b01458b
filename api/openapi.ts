import type { z } from "zod";
import type { Call } from "./call.ts";
import { type CallName, contract } from "./contract.ts";
import { examples } from "./examples.ts";
import { otherRefusal, refusalComponents, refusalsOf } from "./openapi-refusals.ts";
import { type Schema, toComponents, toSchema } from "./openapi-schemas.ts";
import { firstOrder, fulfilment, rules } from "./reference-texts.ts";

export function toOpenApi(publicUrl: string): Schema {
  const paths: Record<string, Schema> = { [signIn.path]: { post: signIn.operation } };
  for (const [path, calls] of callsByPath()) {
    paths[path] = Object.fromEntries(
      calls.map(([name, call]) => [call.method.toLowerCase(), toOperation(name, call, namesIn(path))]),
    );
  }
  for (const document of documents) paths[document.path] = { get: toDocumentOperation(document) };
  // as in providers/identity/connect-identity.ts
  const cookie = `${publicUrl.startsWith("https:") ? "__Host-" : ""}stator.session_token`;
  return {
    openapi: "3.1.0",
    info: {
      title: "Stator",
      version: "1",
      description: [
        ...rules.map(([topic, text]) => `- **${topic}.** ${text}`),
        "",
        "```sh",
        firstOrder(publicUrl),
        "```",
        "",
        "```sh",
        fulfilment(publicUrl),
        "```",
      ].join("\n"),
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: toComponents(),
      responses: refusalComponents,
      parameters: {
        IdempotencyKey: {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description:
            "A repeated request with the same key and input has its effect once and gets the first response.",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
        },
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: cookie },
      },
    },
  };
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

/** Paths that differ only in the names of their parameters are one path: `/purchase/{emailOrId}`. */
function callsByPath(): [string, [string, Call][]][] {
  const groups = Map.groupBy(Object.entries<Call>(contract), ([, { path }]) =>
    path.replace(/\{\w+\}/g, "{}"),
  );
  return [...groups].map(([shape, calls]) => {
    let position = 0;
    const path = shape.replace(/\{\}/g, () => {
      const [first, ...others] = new Set(calls.map(([, call]) => namesIn(call.path)[position]));
      position += 1;
      return `{${first}${others.map((name = "") => `Or${name[0]?.toUpperCase()}${name.slice(1)}`).join("")}}`;
    });
    return [path, calls];
  });
}

/** Signing in is not a call: the identity library serves it. */
const signIn = {
  path: "/api/auth/sign-in/email",
  operation: {
    operationId: "signIn",
    summary:
      "Signs in: sets the session cookie that `PUT /user/{email}` needs. `/sign-up/email` with a `name` registers.",
    "x-access": "anyone",
    security: [],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { email: { type: "string" }, password: { type: "string" } },
            required: ["email", "password"],
          },
          example: { email: "olga.owner@buyers.example", password: "a good password" },
        },
      },
    },
    responses: {
      200: {
        description: "Signed in, unless `twoFactorRedirect` is true: then a code is needed, and a browser",
        headers: { "Set-Cookie": { schema: { type: "string" } } },
        content: { "application/json": { schema: { type: "object" } } },
      },
      401: {
        description: "Wrong email or password",
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { message: { type: "string" }, code: { type: "string" } },
              required: ["message", "code"],
            },
          },
        },
      },
      429: { $ref: "#/components/responses/TooManyRequests" },
      503: { $ref: "#/components/responses/Unavailable" },
      default: otherRefusal,
    },
  },
};

/** PDF documents are not calls: a browser follows their links with its session. */
export const documents = [
  {
    path: "/orders/{id}/confirmation.pdf",
    operationId: "orderConfirmation",
    summary: "The order confirmation, by the id or number of the order.",
  },
  {
    path: "/orders/{id}/invoice.pdf",
    operationId: "invoice",
    summary: "The invoice of the order; with `number`, one of several.",
  },
  {
    path: "/shipments/{id}/packing-slip.pdf",
    operationId: "packingSlip",
    summary: "The packing slip of the shipment, without prices.",
  },
  {
    path: "/credit-notes/{id}.pdf",
    operationId: "creditNote",
    summary: "The credit note of the refund.",
  },
];

function toDocumentOperation({ operationId, summary }: (typeof documents)[number]): Schema {
  const paper = { type: "string", enum: ["a4", "letter"], default: "a4" };
  return {
    operationId,
    summary,
    "x-access": "buyerOrAdmin",
    security: [{ token: [] }, { session: [] }],
    parameters: [
      { name: "id", in: "path", required: true, schema: { type: "string" } },
      { name: "paper", in: "query", required: false, schema: paper },
      ...(operationId === "invoice"
        ? [{ name: "number", in: "query", required: false, schema: { type: "integer" } }]
        : []),
    ],
    responses: {
      200: { description: "The document", content: { "application/pdf": {} } },
      ...refusalsOf({ access: "buyerOrAdmin", method: "GET", params: true }),
      default: otherRefusal,
    },
  };
}

function toOperation(name: string, call: Call, pathNames: string[]): Schema {
  const example = examples[name as CallName];
  const body = call.body && toSchema(call.body, "input");
  const isPaged = call.output.def.type === "array" && "cursor" in shapeOf(call.query);
  return {
    operationId: name,
    summary: call.summary,
    "x-access": call.access,
    security: [
      ...(call.access === "anyone" ? [] : [{ [call.access === "session" ? "session" : "token"]: [] }]),
      ...(call.acceptsSession ? [{ session: [] }] : []),
    ],
    parameters: [
      ...toParameters(call.params, "path", (own) => pathNames[namesIn(call.path).indexOf(own)] ?? own),
      ...toParameters(call.query, "query"),
      ...(hasKey(call) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ],
    ...(call.body && {
      requestBody: {
        required: !call.body.safeParse(undefined).success,
        content: {
          [call.upload ? "multipart/form-data" : "application/json"]: {
            schema: body,
            example: call.upload ? formExample(example?.body) : example?.body,
          },
        },
      },
    }),
    responses: {
      [call.status ?? 200]: {
        description: "Done",
        ...(isPaged && {
          headers: {
            Link: {
              description: 'The next page, with `rel="next"`; missing on the last one',
              schema: { type: "string" },
            },
          },
        }),
        content: {
          [call.csv ? "text/csv" : "application/json"]: {
            schema: toSchema(call.output, "output"),
            example: example?.output,
          },
        },
      },
      ...refusalsOf(call, body),
      default: otherRefusal,
    },
  };
}

export const hasKey = ({ method, idempotency = "none" }: Call) => method !== "GET" && idempotency !== "none";

const shapeOf = (schema: z.ZodType | undefined) =>
  ((schema as z.ZodObject | undefined)?.shape ?? {}) as Schema;

/** A file is its content. */
function formExample(body: unknown): unknown {
  const { file, ...fields } = body as { file: { content: string } };
  return { file: file.content, ...fields };
}

function toParameters(
  schema: z.ZodType | undefined,
  place: "path" | "query",
  rename = (own: string) => own,
): Schema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, "input") as {
    properties?: Schema;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name: rename(name),
    in: place,
    required: place === "path" || required.includes(name),
    schema: of,
  }));
}
