import { authenticate } from "./authenticate.ts";
import type { Run } from "./call.ts";
import { cancelIntent } from "./cancel-intent.ts";
import { confirmIntent } from "./confirm-intent.ts";
import { createIntent, insertIntent, updateIntent } from "./create-intent.ts";
import { findDispute, listDisputes, updateDispute } from "./disputes.ts";
import { findIntent, listIntents } from "./find-intent.ts";
import type { Form } from "./form.ts";
import type { Insert } from "./idempotency.ts";
import { createPaymentMethod } from "./methods.ts";
import { createRefund, findRefund, listRefunds } from "./refunds.ts";

export interface Route {
  method: "GET" | "POST";
  path: string;
  /** its change is one statement, so that it needs no transaction of its own */
  isAtomic?: boolean;
  /** `secretKey`: 401 without it. `page`: for browsers; on an intent, with its client secret. */
  access: "secretKey" | "page";
  run: Run;
  /** the call as a single insert, if it is one */
  insert?: (form: Form) => Insert | null;
}

export const routes: Route[] = [
  { method: "POST", path: "/payment_methods", access: "page", run: createPaymentMethod },
  { method: "POST", path: "/payment_intents", access: "secretKey", run: createIntent, insert: insertIntent },
  { method: "GET", path: "/payment_intents", access: "secretKey", run: listIntents },
  { method: "GET", path: "/payment_intents/:id", access: "page", run: findIntent },
  { method: "POST", path: "/payment_intents/:id", access: "secretKey", run: updateIntent },
  {
    method: "POST",
    path: "/payment_intents/:id/confirm",
    access: "page",
    run: confirmIntent,
    isAtomic: true,
  },
  { method: "POST", path: "/payment_intents/:id/cancel", access: "secretKey", run: cancelIntent },
  { method: "POST", path: "/3ds2/authenticate", access: "page", run: authenticate },
  { method: "POST", path: "/refunds", access: "secretKey", run: createRefund },
  { method: "GET", path: "/refunds", access: "secretKey", run: listRefunds },
  { method: "GET", path: "/refunds/:id", access: "secretKey", run: findRefund },
  { method: "GET", path: "/disputes", access: "secretKey", run: listDisputes },
  { method: "GET", path: "/disputes/:id", access: "secretKey", run: findDispute },
  { method: "POST", path: "/disputes/:id", access: "secretKey", run: updateDispute },
];
