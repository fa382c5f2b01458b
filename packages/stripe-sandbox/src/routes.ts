import type { z } from "zod";
import { authenticate } from "./authenticate.ts";
import { type Call, type Handler, readParams } from "./call.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { confirmIntent } from "./confirm-intent.ts";
import { createIntent, insertIntent, updateIntent } from "./create-intent.ts";
import { updateDispute } from "./disputes.ts";
import { findIntent } from "./find-intent.ts";
import type { Form } from "./form.ts";
import type { Insert } from "./idempotency.ts";
import { createPaymentMethod } from "./methods.ts";
import { findHandler, listHandler } from "./paging.ts";
import * as params from "./params.ts";
import { createRefund } from "./refunds.ts";
import { disputeJson } from "./render-dispute.ts";
import { intentJson } from "./render-intent.ts";
import { refundJson } from "./render-refund.ts";
import type { SandboxResponse } from "./responses.ts";

export interface Route {
  method: "GET" | "POST";
  path: string;
  /** `secretKey`: 401 without it. `page`: for browsers; on an intent, with its client secret. */
  access: "secretKey" | "page";
  run: (call: Call, form: Form) => Promise<SandboxResponse>;
  /** its change is one statement, so it needs no transaction */
  isAtomic?: boolean;
  /** the call as a single insert, if it is one */
  insert?: (form: Form) => Insert | null;
}

function route<Schema extends z.ZodType>(
  name: `${Route["method"]} ${string}`,
  access: Route["access"],
  schema: Schema,
  run: Handler<z.output<Schema>>,
  more: Pick<Route, "isAtomic" | "insert"> = {},
): Route {
  const [method, path] = name.split(" ") as [Route["method"], string];
  return {
    method,
    path,
    access,
    run: async (call, form) => {
      const parsed = readParams(schema, form);
      return "refusal" in parsed ? parsed.refusal : run(call, parsed.value);
    },
    ...more,
  };
}

const INTENT = "/payment_intents/:id";

export const routes: Route[] = [
  route("POST /payment_methods", "page", params.createMethodParams, createPaymentMethod),
  route("POST /payment_intents", "secretKey", params.createIntentParams, createIntent, {
    insert: insertIntent,
  }),
  route(
    "GET /payment_intents",
    "secretKey",
    params.listIntentsParams,
    listHandler("payment_intent", intentJson),
  ),
  route(`GET ${INTENT}`, "page", params.findIntentParams, findIntent),
  route(`POST ${INTENT}`, "secretKey", params.updateIntentParams, updateIntent),
  route(`POST ${INTENT}/confirm`, "page", params.confirmIntentParams, confirmIntent, { isAtomic: true }),
  route(`POST ${INTENT}/cancel`, "secretKey", params.cancelIntentParams, cancelIntent),
  route("POST /3ds2/authenticate", "page", params.authenticateParams, authenticate),
  route("POST /refunds", "secretKey", params.createRefundParams, createRefund),
  route("GET /refunds", "secretKey", params.listOfIntentParams, listHandler("refund", refundJson)),
  route("GET /refunds/:id", "secretKey", params.findParams, findHandler("refund", refundJson)),
  route("GET /disputes", "secretKey", params.listOfIntentParams, listHandler("dispute", disputeJson)),
  route("GET /disputes/:id", "secretKey", params.findParams, findHandler("dispute", disputeJson)),
  route("POST /disputes/:id", "secretKey", params.updateDisputeParams, updateDispute),
];
