import { pathPattern } from "../../api/pages.ts";

/** https://docs.stripe.com/security/guide, Content Security Policy. Only the policy of the payment page names them. */
export const cardHosts = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  connections: ["https://api.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  /** whose frames may open the browser's payment sheet, for wallets */
  payment: ["https://js.stripe.com", "https://*.js.stripe.com"],
} as const;

const cardPages = pathPattern(({ csp }) => csp === "card");

export function mayShowCardField(url: string): boolean {
  return cardPages.test(url);
}
