/** The contract's schemas as JSON Schema. Entities are components, so that generated clients have types with their names. */
import { z } from "zod";
import { order, problem, product, purchase, review, user } from "./entities.ts";
import { uploadedFile } from "./fields.ts";

export type Schema = Record<string, unknown>;

const entities = {
  Product: product,
  Purchase: purchase,
  Order: order,
  User: user,
  Review: review,
  Problem: problem,
};

const names = z.registry<{ id: string }>();
for (const [id, entity] of Object.entries(entities)) names.add(entity, { id });

export function toSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, $defs: __, ...rest } = toReferences(schema, io);
  return rest;
}

export function toComponents(): Schema {
  return toReferences(z.object(entities), "output").$defs as Schema;
}

/** Entities are references to components. */
function toReferences(schema: z.ZodType, io: "input" | "output"): Schema {
  const converted = JSON.stringify(toJsonSchema(schema, io, names));
  return JSON.parse(converted.replaceAll('"#/$defs/', '"#/components/schemas/'));
}

export function toJsonSchema(schema: z.ZodType, io: "input" | "output", metadata = z.globalRegistry): Schema {
  return z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // zod keeps descriptions in its global registry, which `metadata` may replace
      const { description } = z.globalRegistry.get(zodSchema) ?? {};
      if (description) jsonSchema.description = description;
      if (zodSchema === uploadedFile) Object.assign(jsonSchema, { type: "string", format: "binary" });
      const isBooleanText =
        zodSchema instanceof z.ZodPipe &&
        zodSchema.out instanceof z.ZodBoolean &&
        zodSchema.in instanceof z.ZodString;
      if (isBooleanText && io === "input") jsonSchema.enum = ["true", "false"];
      // limits of JavaScript, and patterns that repeat the format
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
}
