import type { z } from "zod";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `session`: a session cookie of the same origin. `self` and `session` are of the user whose email is in the path. */
export type Access =
  | "anyone"
  | "session"
  | "user"
  | "self"
  | "selfOrAdmin"
  | "buyer"
  | "buyerOrAdmin"
  | "admin";

export interface Call<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  method: Method;
  path: string;
  access: Access;
  sessionWillDo?: true;
  /** the response is streamed as a CSV file with this name, the date and `.csv` */
  csv?: string;
  /** the user must have signed in, or confirmed the password or passkey, within the last hour */
  stepUp?: true;
  /** Every call but GET declares it. `none`: no signed-in caller, or a secret in the input, which has no digest. */
  idempotency?: "transaction" | "resumable" | "none";
  /** the body is a form (multipart/form-data) with a file named `file` of at most this many bytes */
  upload?: number;
  /** of the response, if not 200 */
  status?: 200 | 202;
  /** the body may have thousands of lines, and so be larger than that of other calls */
  manyLines?: true;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  output: Output;
}

export function call<
  Output extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declared: Call<Params, Query, Body, Output>): Call<Params, Query, Body, Output> {
  return declared;
}
