import type { z } from "zod";
import type { Caller } from "./access.ts";
import type { Form } from "./form.ts";
import type { Db } from "./idempotency.ts";
import { refused, type SandboxResponse } from "./responses.ts";

/** `id` is from the path; `db` of a writing call is its transaction. */
export interface Call {
  db: Db;
  caller: Caller;
  id: string;
}

export type Handler<Params = object> = (call: Call, params: Params) => Promise<SandboxResponse>;

/** The parsed parameters, or a 400 that names the first invalid one. */
export function readParams<S extends z.ZodType>(
  schema: S,
  form: Form,
): { value: z.output<S> } | { refusal: SandboxResponse } {
  const parsed = schema.safeParse(form);
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0];
  if (!issue) throw new Error("a failed parse without an issue");
  return { refusal: refusalOf(issue) };
}

function refusalOf(issue: z.core.$ZodIssue): SandboxResponse {
  if (issue.code === "unrecognized_keys") {
    const param = parameterName([...issue.path, issue.keys[0] ?? ""]);
    return refused(400, {
      code: "parameter_unknown",
      message: `Received unknown parameter: ${param}`,
      param,
    });
  }
  const param = parameterName(issue.path);
  if (issue.code === "invalid_type" && issue.message === MISSING) {
    return refused(400, { code: "parameter_missing", message: `Missing required param: ${param}.`, param });
  }
  if (issue.code === "custom") {
    const code: unknown = issue.params?.code;
    return refused(400, { message: issue.message, param, ...(typeof code === "string" && { code }) });
  }
  return refused(400, { message: `Invalid ${param}: ${issue.message}`, param });
}

export const MISSING = "missing";

/** `["a", "b", "c"]` as the caller wrote it: `a[b][c]`. */
function parameterName(path: readonly PropertyKey[]): string {
  const [head = "", ...rest] = path.map((part) => String(part).slice(0, 60));
  return head + rest.map((part) => `[${part}]`).join("");
}
