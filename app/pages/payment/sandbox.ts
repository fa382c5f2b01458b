/** Charges a card at the sandbox, through Stripe's API: creates a payment method, then confirms the intent. */

import { type Billing, type CardPart, type Charge, noResponse, toCharge } from "./card-charger.ts";
import { type CardDetails, digitsOf, expiryOf } from "./card-details.ts";

const BASE = "/sandbox/stripe/v1";

interface Intent {
  id: string;
  status: string;
  last_payment_error?: ProviderError | null;
}

interface ProviderError {
  message: string;
  param?: string;
  payment_intent?: Intent;
}

type Reply<Value> = { value: Value } | { error: ProviderError } | null;

/** Shows the 3-D Secure challenge; true for Complete. */
export type Challenge = () => Promise<boolean>;

/** Charges `card` for the payment of `clientSecret`, unless it has already succeeded. */
export async function chargeAtSandbox(
  key: string,
  clientSecret: string,
  card: CardDetails,
  billing: Billing,
  challenge: Challenge,
): Promise<Charge> {
  const current = await findIntent(key, clientSecret);
  if (!current || "error" in current) return current ? declined(current.error) : noResponse;
  const earlierCharge = toCharge(current.value);
  if (earlierCharge) return earlierCharge;
  const method = await post<{ id: string }>("/payment_methods", methodForm(key, card, billing));
  if (!method || "error" in method) return method ? declined(method.error) : noResponse;
  const path = `/payment_intents/${idOf(clientSecret)}/confirm`;
  const confirmed = await post<Intent>(path, {
    key,
    client_secret: clientSecret,
    payment_method: method.value.id,
  });
  return completeChallenge(key, clientSecret, confirmed, challenge);
}

async function completeChallenge(
  key: string,
  clientSecret: string,
  reply: Reply<Intent>,
  challenge: Challenge,
): Promise<Charge> {
  // without a response the card may have been charged
  const result = reply ?? (await findIntent(key, clientSecret));
  if (!result) return noResponse;
  if ("error" in result) {
    const intent = result.error.payment_intent;
    return (intent && toCharge(intent)) ?? declined(result.error);
  }
  const { value: intent } = result;
  const charged = toCharge(intent);
  if (charged) return charged;
  if (intent.status === "requires_action") {
    const outcome = (await challenge()) ? "succeed" : "fail";
    const form = { key, source: intent.id, client_secret: clientSecret, outcome };
    await post<Intent>("/3ds2/authenticate", form);
    const after = await findIntent(key, clientSecret);
    if (!after) return noResponse;
    if ("value" in after && after.value.status !== "requires_action")
      return completeChallenge(key, clientSecret, after, challenge);
  }
  return declined(
    intent.last_payment_error ?? { message: "Your bank did not confirm this payment. Try again." },
  );
}

function declined({ message, param }: ProviderError): Charge {
  const parts: Record<string, CardPart> = {
    number: "number",
    exp_month: "expiry",
    exp_year: "expiry",
    cvc: "cvc",
  };
  return { outcome: "declined", message, part: param ? parts[param] : undefined };
}

function methodForm(key: string, card: CardDetails, billing: Billing): Record<string, string> {
  const expiry = expiryOf(card.expiry);
  return {
    key,
    type: "card",
    "card[number]": digitsOf(card.number),
    "card[exp_month]": String(expiry?.month ?? ""),
    "card[exp_year]": String(expiry?.year ?? ""),
    "card[cvc]": card.cvc,
    "billing_details[name]": billing.name,
    "billing_details[email]": billing.email,
  };
}

/** A client secret begins with the id of its payment: pi_…_secret_…. */
function idOf(clientSecret: string): string {
  return clientSecret.split("_secret_", 1)[0] ?? "";
}

function findIntent(key: string, clientSecret: string): Promise<Reply<Intent>> {
  const query = new URLSearchParams({ key, client_secret: clientSecret });
  return send(`/payment_intents/${idOf(clientSecret)}?${query}`);
}

function post<Value>(path: string, form: Record<string, string>): Promise<Reply<Value>> {
  return send(path, { method: "POST", body: new URLSearchParams(form) });
}

/** Null without a response, or with one that is not about the card. */
async function send<Value>(path: string, init?: RequestInit): Promise<Reply<Value>> {
  try {
    const response = await fetch(`${BASE}${path}`, init);
    const content = (await response.json()) as { error?: ProviderError } | null;
    if (!content) return null;
    if (response.ok) return { value: content as Value };
    return content.error && response.status < 500 && response.status !== 429
      ? { error: content.error }
      : null;
  } catch {
    return null; // reported as no response
  }
}
