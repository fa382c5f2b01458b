/** Generous: thirty people may share one IP address. */
import type { CallName } from "../../api/contract.ts";
import type { User } from "../../shop/store.ts";
import type { Rule } from "./rate-limiter.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

export interface RateLimitRules {
  rules: Rule[];
  /** only failures count: a success gives the attempt back */
  counted: Rule[];
  cleared: Rule[];
}

/**
 * `email` is the one in the body, or the new one; `device` a trusted device of that account, `userId` the user of the
 * session.
 */
export function identityRateLimits(
  path: string,
  { ip, email, device, userId }: { ip: string; email?: string; device?: string; userId?: string },
): RateLimitRules {
  const network = networkOf(ip);
  const perNetwork = (what: string, max: number, seconds: number): Rule => ({
    what,
    of: network,
    max,
    seconds,
  });
  if (path === "/sign-in/email") return signIn(network, email ?? "", device, perNetwork);
  if (path === "/sign-up/email") {
    // a refusal may reveal a registered email, so ten times fewer are allowed than registrations (decision 13)
    const refused = perNetwork("register-refused", 60, HOUR);
    const rules = [perNetwork("register", 60, MINUTE), perNetwork("register-hour", 600, HOUR), refused];
    return { rules, counted: [refused], cleared: [] };
  }
  if (/^\/(request-password-reset|send-verification-email|change-email)$/.test(path)) {
    const client = `${network} ${email ?? ""}`;
    return countAll(
      perNetwork("mail", 60, 10 * MINUTE),
      { what: "mail-to-from", of: client, max: 5, seconds: 15 * MINUTE },
      // earlier links still work, so this locks nobody out
      { what: "mail-to", of: email ?? "", max: 20, seconds: HOUR },
    );
  }
  if (path === "/reset-password" || path === "/verify-email" || path.startsWith("/reset-password/"))
    return countAll(perNetwork("link", 100, 10 * MINUTE));
  if (path === "/passkey/verify-authentication") return countAll(perNetwork("passkey", 300, 10 * MINUTE));
  if (path === "/passkey/generate-authenticate-options")
    return countAll(perNetwork("passkey-asked", 600, 10 * MINUTE));
  if (isAuthenticationPath(path)) return proofRules(perNetwork("proof", 200, 10 * MINUTE), userId);
  return countAll();
}

export function isAuthenticationPath(path: string): boolean {
  return (
    path.startsWith("/two-factor/") ||
    /^\/(change-password|verify-password|passkey\/(verify-registration|delete-passkey))$/.test(path)
  );
}

/** A trusted device has its own counter, so a stranger who uses up the hundred does not lock the owner out. */
function signIn(
  network: string,
  email: string,
  device: string | undefined,
  perNetwork: (what: string, max: number, seconds: number) => Rule,
): RateLimitRules {
  const networkRule = perNetwork("login", 300, 10 * MINUTE);
  // successes too: each takes a tenth of a second of CPU time
  const allRule = perNetwork("login-all", 300, MINUTE);
  if (device) {
    const own: Rule = { what: "login-device", of: `${device} ${email}`, max: 20, seconds: 15 * MINUTE };
    return { rules: [networkRule, allRule, own], counted: [networkRule], cleared: [own] };
  }
  const pair: Rule = { what: "login-pair", of: `${network} ${email}`, max: 10, seconds: 15 * MINUTE };
  const account: Rule = { what: "login-account", of: email, max: 100, seconds: HOUR };
  return { rules: [networkRule, allRule, pair, account], counted: [networkRule, account], cleared: [pair] };
}

/**
 * Per user: more sessions allow no more guesses. A success removes only its own attempt from the count. A sign-in that
 * waits for its code has no session: the library allows it five guesses.
 */
function proofRules(networkRule: Rule, userId: string | undefined): RateLimitRules {
  if (userId === undefined) return { rules: [networkRule], counted: [networkRule], cleared: [] };
  const counted = [networkRule, proofRule(userId)];
  // successes too: they hash a password, or send an email to an address that may be somebody else's
  const allRule: Rule = { what: "proof-all", of: userId, max: 30, seconds: HOUR };
  return { rules: [...counted, allRule], counted, cleared: [] };
}

function proofRule(userId: string): Rule {
  return { what: "proof-of", of: userId, max: 15, seconds: 10 * MINUTE };
}

function countAll(...rules: Rule[]): RateLimitRules {
  return { rules, counted: [], cleared: [] };
}

/** An IPv6 customer has a whole /64. An IPv4 address, also one mapped to IPv6, is its own network. */
export function networkOf(ip: string): string {
  const ipv4 = /(?:^|:)(\d{1,3}(?:\.\d{1,3}){3})$/.exec(ip)?.[1];
  if (ipv4 || !ip.includes(":")) return ipv4 ?? ip;
  const [front = "", back] = (ip.split("%")[0] as string).split("::");
  const groups = (text = "") => text.split(":").filter(Boolean);
  const missing = 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array<string>(Math.max(0, missing)).fill("0"), ...groups(back)];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

interface CallLimitInput {
  user?: User | undefined;
  /** whether the email of `user` is confirmed */
  confirmed?: boolean | undefined;
  ip: string;
  body?: unknown;
}

export function callRateLimits(name: CallName, { user, confirmed, ip, body }: CallLimitInput): Rule[] {
  if (name === "askForStockAlert") {
    const { email } = body as { email: string };
    return [
      { what: "alert-from", of: networkOf(ip), max: 30, seconds: HOUR },
      { what: "alert-to", of: email.toLowerCase(), max: 5, seconds: HOUR },
    ];
  }
  if (!user) return [];
  const by = (what: string, perUser: number, all: number) => perMinute(what, user, ip, perUser, all);
  if (name === "placePurchase" || name === "placeOrder") {
    const rules = by("purchase", 120, 900);
    // each sends an email, to an address that may be somebody else's
    if (!confirmed) rules.push({ what: "unconfirmed-purchase", of: user.id, max: 300, seconds: HOUR });
    return rules;
  }
  // the payment provider limits the calls of the whole store
  if (name === "createPaymentIntent" || name === "confirmPayment") return by("payment", 240, 1800);
  if (name === "addStockAlert") return by("account-alert", 60, 300);
  if (name === "exportOrders") return by("order-export", 30, 120);
  if (name === "addReview") return by("review", 60, 300);
  if (name === "confirmAccount") return [proofRule(user.id)];
  return [];
}

/** Drawing one takes up to a second, one after the other. */
export function documentRateLimits(viewer: User, ip: string): Rule[] {
  return perMinute("document", viewer, ip, 120, 360);
}

function perMinute(what: string, user: User, ip: string, perUser: number, all: number): Rule[] {
  return [
    { what, of: user.id, max: perUser, seconds: MINUTE },
    { what: `${what}-from`, of: networkOf(ip), max: all, seconds: MINUTE },
  ];
}
