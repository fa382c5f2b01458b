import { ADMIN_PATHS } from "virtual:admin-paths";

type Reasons = readonly (readonly [RegExp, string])[];

/** Of pages that a new account may open too. */
const buying: Reasons = [
  [/^\/checkout\b/i, "to place your order. Your cart is kept."],
  [/^\/product\//i, "to see this tool and to order it."],
];

const reasons: Reasons = [
  ...buying.map(([path, reason]) => [path, `Log in ${reason}`] as const),
  [/^\/cart\b/i, "Log in to see the cart of your account."],
  [/\.pdf(\?|$)/, "Log in to open this document."],
  [/\.csv(\?|$)/, "Log in to download this file."],
  [/^\/dashboard\/payment\//i, "Log in to pay your order."],
  [/^\/dashboard\/order\//i, "Log in to see this order."],
  [/^\/dashboard\/orders\b/i, "Log in to see your orders."],
  [ADMIN_PATHS, "Log in as an admin to open this page."],
];

/** Why the visitor was redirected to the login from the path `from`; null if they came by themselves. */
export function loginReason(from: string): string | null {
  if (from === "/") return null;
  return reasons.find(([path]) => path.test(from))?.[1] ?? "Log in to open this page.";
}

export function registerReason(from: string): string | undefined {
  const reason = buying.find(([path]) => path.test(from))?.[1];
  return reason && `Register ${reason}`;
}
