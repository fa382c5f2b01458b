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
  const { $schema: _, $defs: __, ...rest } = convert(schema, io);
  return rest;
}

export function toComponents(): Schema {
  return convert(z.object(entities), "output").$defs as Schema;
}

function convert(schema: z.ZodType, io: "input" | "output"): Schema {
  const converted = z.toJSONSchema(schema, {
    io,
    metadata: names,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === uploadedFile) Object.assign(jsonSchema, { type: "string", format: "binary" });
      const isBooleanText =
        zodSchema instanceof z.ZodPipe &&
        zodSchema.out instanceof z.ZodBoolean &&
        zodSchema.in instanceof z.ZodString;
      if (isBooleanText && io === "input") jsonSchema.enum = ["true", "false"];
      // the limits of the language, and what the format says already
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
