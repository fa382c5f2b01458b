import type { z } from "zod";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may make a call:
 * - `anyone`
 * - `session`: a valid session cookie from the same origin, for the email in the path
 * - `user`: any signed-in user
 * - `self`: the user whose email is in the path
 * - `selfOrAdmin`: that user, or an admin
 * - `buyer`: the user who placed the order
 * - `buyerOrAdmin`: that user, or an admin
 * - `admin`
 */
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
  /** a same-origin session cookie is accepted, since the specification sends no token, or a browser follows a link */
  acceptsSession?: true;
  /** the response is streamed as a CSV file with this name, the date and `.csv` */
  csv?: string;
  /** the user must have signed in, or confirmed the password or passkey, within the last hour */
  stepUp?: true;
  /**
   * What a repeated write under an Idempotency-Key relies on; every call but GET declares it:
   * - `transaction`: key, effect and response are one transaction
   * - `resumable`: the key is committed first, and the operation finds what an earlier attempt has done
   * - `none`: the header is ignored. The caller is no signed-in user, or the input holds a secret of which no digest is
   *   stored
   */
  idempotency?: "transaction" | "resumable" | "none";
  /** the body is a form (multipart/form-data) with a file named `file` of at most this many bytes */
  upload?: number;
  /** of the response, if not 200 */
  status?: 200 | 202;
  /** the body may have thousands of lines, and so be larger than that of other calls */
  manyLines?: true;
  summary: string;
  params?: Params;
  /**
   * Strict, as the body is: a misspelt member would be left out, and a refund without an amount is a full one. The
   * calls that are promised to scripts (`ignoresUnknown`) ignore what they do not know, and so do public reads, whose
   * cached response is that of the known parameters.
   */
  query?: Query;
  body?: Body;
  output: Output;
}

export function call<
  To extends Access,
  Output extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  route: `${Method} /${string}`,
  declared: Omit<Call<Params, Query, Body, Output>, "method" | "path"> & { access: To },
): Call<Params, Query, Body, Output> & { access: To } {
  const [method, path] = route.split(" ") as [Method, string];
  return { method, path, ...declared };
}
