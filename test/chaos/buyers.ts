/** Buyers who order and pay without a pause, and retry with the same key when a response is lost. */
import { setTimeout as pause } from "node:timers/promises";
import { clientOf } from "../harness/client.ts";
import { cards } from "../harness/orders.ts";
import type { SignedIn } from "../harness/users.ts";
import type { StoreProcess } from "./store-process.ts";

/** What buyers saw acknowledged; it must hold whatever process is killed. */
interface Acknowledged {
  /** purchases that got a response, each with its own key */
  placed: string[];
  paid: string[];
  /** responses that an unavailable store must not send */
  bad: string[];
}

export interface Load {
  acknowledged: Acknowledged;
  /** Lets everyone finish, then ends. */
  stop(): Promise<void>;
}

/** `buyers` buy `productId` repeatedly, each one order at a time. */
export function startLoad(victim: StoreProcess, buyers: SignedIn[], productId: string): Load {
  const acknowledged: Acknowledged = { placed: [], paid: [], bad: [] };
  let stopping = false;
  const requests = buyers.map(async (user) => {
    while (!stopping) await buyOnce(victim, user, productId, acknowledged);
  });
  return {
    acknowledged,
    stop: async () => {
      stopping = true;
      await Promise.all(requests);
    },
  };
}

async function buyOnce(
  victim: StoreProcess,
  user: SignedIn,
  productId: string,
  acknowledged: Acknowledged,
): Promise<void> {
  const order = { productId, purchaseQuantity: 2, address: "Unit 6" };
  const purchase = await retryUntilResponse(victim, user, acknowledged, "POST", "/purchase", order);
  acknowledged.placed.push(purchase._id);
  const opening = { total: purchase.total, purchaseId: purchase._id };
  const { clientSecret } = await retryUntilResponse(
    victim,
    user,
    acknowledged,
    "POST",
    "/create-payment-intent",
    opening,
  );
  const transactionId = clientSecret.split("_secret_")[0];
  await charge(victim, clientSecret, transactionId);
  const paid = await retryUntilResponse(victim, user, acknowledged, "PATCH", `/payment/${purchase._id}`, {
    transactionId,
  });
  if (paid.transactionId) acknowledged.paid.push(purchase._id);
}

/** Retries with the same key until there is a response, as the pages do. */
async function retryUntilResponse(
  victim: StoreProcess,
  user: SignedIn,
  acknowledged: Acknowledged,
  method: string,
  path: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose members the test asserts
): Promise<any> {
  const key = crypto.randomUUID();
  for (;;) {
    try {
      const response = await clientOf(victim, { token: user.token }).fetch(path, {
        method,
        headers: { "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(body),
      });
      const reply = await response.json();
      if (response.ok) return reply;
      // a store whose database is restarting may respond so
      if (response.status < 500 && response.headers.get("retry-after") === null) {
        acknowledged.bad.push(`${method} ${path}: ${response.status} ${JSON.stringify(reply)}`);
        return {};
      }
    } catch {
      // no connection, or it broke: the response is lost
    }
    await pause(100);
  }
}

/** The card form calls the sandbox, which is killed with the store. */
async function charge(victim: StoreProcess, clientSecret: string, intentId: string): Promise<void> {
  const form = {
    type: "card",
    "card[number]": cards.good,
    "card[exp_month]": "12",
    "card[exp_year]": String(new Date().getUTCFullYear() + 2),
    "card[cvc]": "123",
  };
  for (;;) {
    try {
      const method = await post(victim, "/payment_methods", form);
      const payment_method = method.id;
      const intent = await post(victim, `/payment_intents/${intentId}/confirm`, {
        client_secret: clientSecret,
        payment_method,
      });
      if (intent.status === "succeeded" || intent.error?.code === "payment_intent_unexpected_state") return;
    } catch {
      // no connection, or it broke: whether the card was charged is unknown
    }
    await pause(100);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose members the test asserts
async function post(victim: StoreProcess, path: string, form: Record<string, string>): Promise<any> {
  const response = await fetch(`${victim.url}/sandbox/stripe/v1${path}`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  return response.json();
}
