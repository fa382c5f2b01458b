import { z } from "zod";
import type { Call } from "./call.ts";
import { type CallName, contract } from "./contract.ts";
import { problem } from "./entities.ts";
import { examples } from "./examples.ts";
import { uploadedFile } from "./fields.ts";

type Schema = Record<string, unknown>;

export function toOpenApi(publicUrl: string): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, call] of Object.entries<Call>(contract)) {
    paths[call.path] ??= {};
    (paths[call.path] as Schema)[call.method.toLowerCase()] = toOperation(name, call);
  }
  for (const document of documents) paths[document.path] = { get: toDocumentOperation(document) };
  // as in providers/identity/connect-identity.ts
  const cookie = `${publicUrl.startsWith("https:") ? "__Host-" : ""}stator.session_token`;
  return {
    openapi: "3.1.0",
    info: { title: "Stator", version: "1", description: "The API of the store." },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem: toSchema(problem, "output") },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: cookie },
      },
    },
  };
}

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
      default: {
        description: "Refused, with the reason",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function toOperation(name: string, call: Call): Schema {
  const example = examples[name as CallName];
  return {
    operationId: name,
    summary: call.summary,
    "x-access": call.access,
    ...(call.access !== "anyone" && {
      security: [
        { [call.access === "session" ? "session" : "token"]: [] },
        ...(call.csv ? [{ session: [] }] : []),
      ],
    }),
    parameters: [...toParameters(call.params, "path"), ...toParameters(call.query, "query")],
    ...(call.body && {
      requestBody: {
        required: true,
        content: {
          [call.upload ? "multipart/form-data" : "application/json"]: {
            schema: toSchema(call.body, "input"),
            example: example?.body,
          },
        },
      },
    }),
    responses: {
      [call.status ?? 200]: {
        description: "Done",
        content: {
          [call.csv ? "text/csv" : "application/json"]: {
            schema: toSchema(call.output, "output"),
            example: example?.output,
          },
        },
      },
      default: {
        description: "Refused, with the reason",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function toParameters(schema: z.ZodType | undefined, place: "path" | "query"): Schema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, "input") as {
    properties?: Schema;
    required?: string[];
  };
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: of,
  }));
}

function toSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === uploadedFile) Object.assign(jsonSchema, { type: "string", format: "binary" });
    },
  });
  return rest;
}
