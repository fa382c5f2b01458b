/** What one call of the contract is, as data. */
import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may make a call:
 * - `anyone`
 * - `session`: who holds a live identity session (cookie, same origin) for the e-mail in the path
 * - `user`: any signed-in person
 * - `self`: the person whose e-mail stands in the path
 * - `selfOrAdmin`: that person, or an admin
 * - `buyer`: the person whose purchase it is
 * - `buyerOrAdmin`: that person, or an admin
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
  Answer extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** with `{name}` for the members of `params` */
  path: string;
  access: Access;
  /** the specification sends no token with it: without one, a live identity session of our own pages is enough */
  sessionWillDo?: true;
  /** whoever makes it must have proved within the hour who they are: by logging in, or under Dashboard, Account */
  stepUp?: true;
  /** one line for readers of the documentation */
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  answer: Answer;
}

/** Declares a call and keeps its types. */
export function call<
  Answer extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(declared: Call<Params, Query, Body, Answer>): Call<Params, Query, Body, Answer> {
  return declared;
}
