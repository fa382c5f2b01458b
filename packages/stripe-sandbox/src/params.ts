/** The parameters of each call. Those without a use in the sandbox are accepted and ignored. */
import { z } from "zod";
import { MISSING } from "./call.ts";

const missingOr = (wrong: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? MISSING : wrong;

function text(max: number) {
  return z
    .string({ error: missingOr("must be a string") })
    .max(max, { error: `must be at most ${max} characters` });
}

function integer() {
  return text(40)
    .refine((value) => /^-?\d{1,15}$/.test(value), {
      error: (issue) => `Invalid integer: ${String(issue.input)}`,
      params: { code: "parameter_invalid_integer" },
    })
    .transform(Number);
}

function flag() {
  return z
    .enum(["true", "false"], { error: missingOr("must be true or false") })
    .transform((value) => value === "true");
}

const ignored = z.unknown().optional();

const MAX_CENTS = 99_999_999;
const positive = integer().refine((cents) => cents >= 1, {
  error: "This value must be greater than or equal to 1.",
  params: { code: "parameter_invalid_integer" },
});
const amount = positive
  .refine((cents) => cents >= 50, {
    error: "Amount must be at least $0.50 usd",
    params: { code: "amount_too_small" },
  })
  .refine((cents) => cents <= MAX_CENTS, {
    error: "Amount must be no more than $999,999.99 usd",
    params: { code: "amount_too_large" },
  });

const currency = text(20)
  .transform((value) => value.toLowerCase())
  .refine((value) => value === "usd", {
    error: (issue) => `Invalid currency: ${String(issue.input)}. This account takes usd.`,
  });

// An empty string clears all keys; an empty value removes its key.
const metadata = z.preprocess(
  (value) => (value === "" ? null : value),
  z
    .record(text(40), text(500))
    .refine((keys) => Object.keys(keys).length <= 50, { error: "You can set at most 50 metadata keys." })
    .nullable(),
);

const list = z.record(z.string(), text(100)).transform((items) => Object.values(items));

const line = text(200).optional();
const billingDetails = z.strictObject({
  name: line,
  email: text(512).optional(),
  phone: line,
  tax_id: line,
  address: z
    .strictObject({ city: line, country: line, line1: line, line2: line, postal_code: line, state: line })
    .optional(),
});

const newMethod = {
  type: z.enum(["card"], { error: missingOr("this account takes cards only") }),
  card: z.strictObject(
    {
      number: text(40),
      exp_month: integer(),
      exp_year: integer(),
      cvc: text(10).optional(),
      networks: ignored,
    },
    { error: missingOr("must be a hash") },
  ),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: ignored,
};

// sent by Stripe's library for pages
const fromPage = {
  key: ignored,
  expand: list.optional(),
  payment_user_agent: ignored,
  client_attribution_metadata: ignored,
  referrer: ignored,
  time_on_page: ignored,
  guid: ignored,
  muid: ignored,
  sid: ignored,
  pasted_fields: ignored,
  radar_options: ignored,
  _stripe_version: ignored,
};

const confirming = {
  payment_method: text(100).optional(),
  payment_method_data: z.strictObject({ ...newMethod, ...fromPage }).optional(),
  payment_method_options: ignored,
  receipt_email: text(512).optional(),
  return_url: ignored,
  use_stripe_sdk: ignored,
  off_session: ignored,
  mandate_data: ignored,
  setup_future_usage: ignored,
  shipping: ignored,
  error_on_requires_action: ignored,
};

const cardsOnly = list
  .refine((types) => types.includes("card"), { error: "This account takes cards only." })
  .optional();

const describing = {
  description: text(1000).optional(),
  metadata: metadata.optional(),
  allowed_payment_method_types: cardsOnly,
  // the same in API versions before 2026-09-30
  payment_method_types: cardsOnly,
  automatic_payment_methods: ignored,
  capture_method: z
    .enum(["automatic", "automatic_async"], { error: "this account captures at once" })
    .optional(),
  confirmation_method: z.enum(["automatic"], { error: "this account confirms automatically" }).optional(),
  statement_descriptor: ignored,
  statement_descriptor_suffix: ignored,
  customer: ignored,
};

export const createMethodParams = z.strictObject({ ...newMethod, ...fromPage });
export type NewMethod = Pick<z.output<typeof createMethodParams>, "card" | "billing_details" | "metadata">;

export const createIntentParams = z.strictObject({
  ...fromPage,
  ...confirming,
  ...describing,
  amount,
  currency,
  confirm: flag().optional(),
});
export const updateIntentParams = z.strictObject({
  ...fromPage,
  ...confirming,
  ...describing,
  amount: amount.optional(),
  currency: currency.optional(),
});
export const confirmIntentParams = z.strictObject({
  ...fromPage,
  ...confirming,
  client_secret: text(200).optional(),
});
export const findIntentParams = z.strictObject({ ...fromPage, client_secret: text(200).optional() });
export const cancelIntentParams = z.strictObject({
  expand: list.optional(),
  cancellation_reason: z
    .enum(["duplicate", "fraudulent", "requested_by_customer", "abandoned"], {
      error: "must be one of duplicate, fraudulent, requested_by_customer, or abandoned",
    })
    .optional(),
});
export const authenticateParams = z.strictObject({
  ...fromPage,
  source: text(100),
  client_secret: text(200).optional(),
  outcome: z.enum(["succeed", "fail"], { error: missingOr("must be one of succeed or fail") }),
});

const range = z.union([
  integer().transform((at) => ({ gte: at, lte: at })),
  z.strictObject({ gt: integer(), gte: integer(), lt: integer(), lte: integer() }).partial(),
]);
const paging = {
  expand: list.optional(),
  limit: integer()
    .refine((count) => count >= 1 && count <= 100, {
      error: "Limit must be between 1 and 100.",
      params: { code: "parameter_invalid_integer" },
    })
    .default(10),
  starting_after: text(100).optional(),
  created: range.optional(),
};
export const listIntentsParams = z.strictObject({ ...paging, customer: ignored });
export const listOfIntentParams = z.strictObject({ ...paging, payment_intent: text(100).optional() });
export const findParams = z.strictObject({ expand: list.optional() });

export const updateDisputeParams = z.strictObject({
  expand: list.optional(),
  evidence: z.strictObject(
    {
      uncategorized_text: z.enum(["winning_evidence", "losing_evidence"], {
        error: missingOr("in test mode it must be winning_evidence or losing_evidence"),
      }),
    },
    { error: missingOr("must be a hash") },
  ),
  submit: ignored,
});

export const createRefundParams = z.strictObject({
  expand: list.optional(),
  payment_intent: text(100),
  amount: positive.optional(),
  reason: z
    .enum(["duplicate", "fraudulent", "requested_by_customer"], {
      error: "must be one of duplicate, fraudulent, or requested_by_customer",
    })
    .optional(),
  metadata: metadata.optional(),
});

export type Params<Schema extends z.ZodType> = z.output<Schema>;
