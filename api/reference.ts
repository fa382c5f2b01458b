import type { z } from "zod";
import type { Access, Call } from "./call.ts";
import { type CallName, contract } from "./contract.ts";
import { examples } from "./examples.ts";
import { hasKey } from "./openapi.ts";
import { toJsonSchema } from "./openapi-schemas.ts";

export interface ReferenceEntry {
  name: string;
  method: string;
  path: string;
  summary: string;
  who: string;
  input: ReferenceMember[];
  output: ReferenceMember[];
  returnsList: boolean;
  example: string;
}

export interface ReferenceMember {
  name: string;
  kind: string;
  required: boolean;
  description: string | undefined;
}

const idempotencyKey: ReferenceMember = {
  name: "Idempotency-Key",
  kind: "header",
  required: false,
  description: "Makes a repeated request safe.",
};

const accessLabels: Record<Access, string> = {
  anyone: "Anyone",
  session: "The user signed in with this email (cookie)",
  user: "Any signed-in user",
  self: "The user with this email",
  selfOrAdmin: "The user with this email, or an admin",
  buyer: "The buyer",
  buyerOrAdmin: "The buyer, or an admin",
  admin: "Admins",
};

export function toReference(): ReferenceEntry[] {
  return Object.entries<Call>(contract).map(([name, call]) => {
    const output: Schema = toJsonSchema(call.output, "output");
    const isList = output.type === "array";
    return {
      name,
      method: call.method,
      path: call.path,
      summary: call.summary,
      who: accessLabels[call.access],
      input: [
        ...members(call.query, "input"),
        ...members(call.body, "input"),
        ...(hasKey(call) ? [idempotencyKey] : []),
      ],
      output: membersOf(isList ? (output.items ?? {}) : output),
      returnsList: isList,
      example: exampleOf(name as CallName, call),
    };
  });
}

function exampleOf(name: CallName, { method, access, csv, upload, status = 200 }: Call): string {
  const { url, body, output } = examples[name] ?? { url: "", output: null };
  const credentials = { anyone: [], session: ["Cookie: stator.session_token=…"] }[access as string];
  return [
    `${method} ${url}`,
    ...(credentials ?? ["Authorization: Bearer eyJhbGciOiJFUzI1NiJ9.…"]),
    ...(upload ? ["Content-Type: multipart/form-data", "", ...formOf(body)] : []),
    ...(body === undefined || upload ? [] : ["", JSON.stringify(body, null, 2)]),
    "",
    String(status),
    csv ? String(output) : JSON.stringify(output, null, 2),
  ].join("\n");
}

function formOf(body: unknown): string[] {
  return Object.entries(body as Record<string, unknown>).map(([name, value]) => {
    if (name !== "file") return `${name}: ${value}`;
    const file = value as { name: string; content: string };
    return `file: ${file.name}\n${file.content}`;
  });
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  description?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

function members(schema: z.ZodType | undefined, io: "input" | "output"): ReferenceMember[] {
  return schema ? membersOf(toJsonSchema(schema, io)) : [];
}

function membersOf({ properties = {}, required = [] }: Schema): ReferenceMember[] {
  return Object.entries(properties).map(([name, of]) => ({
    name,
    kind: kindOf(of),
    required: required.includes(name),
    description: of.description,
  }));
}

const nameOf = ({ name, required }: ReferenceMember) => (required ? name : `${name}?`);

function kindOf(of: Schema): string {
  if (of.enum) return of.enum.join(" | ");
  if (of.const !== undefined) return String(of.const);
  if (of.anyOf) return of.anyOf.map(kindOf).join(" or ");
  if (of.properties) return `{ ${membersOf(of).map(nameOf).join(", ")} }`;
  if (of.type === "array") return `list of ${of.items ? kindOf(of.items) : "anything"}`;
  const limits = [
    of.minimum !== undefined && `from ${of.minimum}`,
    of.maximum !== undefined && `to ${of.maximum}`,
    of.maxLength !== undefined && `up to ${of.maxLength} characters`,
  ].filter(Boolean);
  return [of.format ?? of.type ?? "anything", ...limits].join(" ");
}
