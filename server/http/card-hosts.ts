import { pathPattern } from "../../api/pages.ts";

/**
 * The hosts of the card provider that its own card field needs (https://docs.stripe.com/security/guide, Content
 * Security Policy). They are named in the policy of the payment page alone, and only where the provider is used.
 */
export const cardHosts = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  connections: ["https://api.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  /** whose frames may open the browser's own payment sheet, for wallets */
  payment: ["https://js.stripe.com", "https://*.js.stripe.com"],
} as const;

const cardPages = pathPattern(({ csp }) => csp === "card");

/** Whether a document at this address may load the card provider's field. */
export function mayShowCardField(url: string): boolean {
  return cardPages.test(url);
}
