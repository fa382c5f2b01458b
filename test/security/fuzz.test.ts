/**
 * Every call of the contract with thousands of inputs generated from its schema, and modified. No input causes a
 * failure of the store, reveals internals, or touches another user's data. RUNS is the number of inputs per call (60
 * by default).
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "../../api/call.ts";
import { type CallName, contract } from "../../api/contract.ts";
import { expectConsistentStore } from "../harness/consistency.ts";
import { addProduct, dropWebhooks, payFor, placeFor } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";
import { type Attack, attacksOn, quote } from "./arbitraries.ts";

const RUNS = Number(process.env.RUNS ?? 60);
const CONCURRENCY = 8;
/** Words that only the victim's records contain. */
const MARK = "quetzalcoatl";
const INTERNALS =
  /\bat (async )?[\w.<>]+ \(|node_modules|\.ts:\d|\bsyntax error\b|relation "|violates|pg_|SELECT |INSERT |ECONN|kysely|better-auth|undefined is not|Cannot read/i;

let store: TestStore;
let attacker: SignedIn;
let victim: SignedIn;
let known: string[];
beforeAll(async () => {
  store = await openStore();
  await dropWebhooks(store);
  const admin = await adminOf(store);
  // the email is known: the attacker may send it, keep it in their own records, and read it there
  victim = await register(store, `Vera ${MARK}`, "vera");
  attacker = await register(store, "Mal Attacker");
  const tool = await addProduct(admin, { quantity: 900_000 });
  const mine = await placeFor(attacker, tool);
  const [unpaid, paid] = [await placeFor(victim, tool), await placeFor(victim, tool)];
  const transactionId = await payFor(store, victim, paid);
  await victim.call("updateProfile", { params: { email: victim.email }, body: { location: `${MARK} city` } });
  const sessions = (await victim.call("listSessions", {})).map(({ id }) => id);
  known = [
    tool._id,
    mine._id,
    unpaid._id,
    paid._id,
    transactionId,
    ...sessions,
    victim.email,
    attacker.email,
    admin.email,
    tool.name,
  ];
});
afterAll(async () => {
  await expectConsistentStore(store.pool);
  await store.stop();
});

async function send(
  call: Call,
  { params, query, body, headers }: Attack,
  token: string | null,
): Promise<Response> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => quote(params[name] ?? "") || "%20");
  return fetch(`${store.url}${path}${query ? `?${query}` : ""}`, {
    method: call.method,
    redirect: "manual",
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body && { body: Buffer.from(body) }),
  });
}

/** Responses contain random texts that the attacker has sent: one with `pg_` would look like a leak. */
function hasNoInternals({ params, query, body, headers }: Attack): boolean {
  return !INTERNALS.test(`${JSON.stringify({ params, query, headers })}${Buffer.from(body ?? [])}`);
}

/** The victim's data, which must not change. */
async function victimData() {
  const params = { email: victim.email };
  return JSON.stringify([
    await victim.call("findUser", { params }),
    await victim.call("listPurchasesOf", { params }),
    (await victim.call("listSessions", {})).map(({ id }) => id),
  ]);
}

// the attacker would end their own session or account, which proves nothing
const once: CallName[] = ["deleteAccount", "endOtherSessions"];

describe.each((Object.keys(contract) as CallName[]).filter((name) => !once.includes(name)))("%s", (name) => {
  test("never responds 500 to random input", async () => {
    const call: Call = contract[name];
    const attacks = attacksOn(call, fc.constantFrom(...known)).filter(hasNoInternals);
    const before = await victimData();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(attacks, fc.boolean()), { minLength: CONCURRENCY, maxLength: CONCURRENCY }),
        async (round) => {
          await Promise.all(
            round.map(async ([attack, signedIn]) => {
              const response = await send(call, attack, signedIn ? attacker.token : null);
              const text = await response.text();
              const summary = `${response.status} ${text.slice(0, 300)}`;
              expect(response.status, summary).toBeLessThan(500);
              expect(text, summary).not.toMatch(INTERNALS);
              expect(text.toLowerCase(), summary).not.toContain(MARK);
              // a URL that matches no call is a missing page
              const isPage = call.method === "GET" && response.status === 404;
              if (response.status >= 400 && !isPage) {
                expect(response.headers.get("content-type"), summary).toMatch(/^application\/problem\+json/);
                expect(Object.keys(JSON.parse(text)), summary).toEqual(
                  expect.arrayContaining(["type", "title", "status", "detail"]),
                );
              }
            }),
          );
        },
      ),
      { numRuns: Math.ceil(RUNS / CONCURRENCY), endOnFailure: true },
    );
    expect(await victimData()).toBe(before);
  });
});

describe("the identity endpoints", () => {
  const paths = [
    "sign-in/email",
    "sign-up/email",
    "request-password-reset",
    "reset-password",
    "change-password",
    "change-email",
    "update-user",
    "sign-in/social",
    "link-social",
    "unlink-account",
    "two-factor/enable",
    "two-factor/verify-totp",
    "two-factor/verify-backup-code",
    "two-factor/disable",
    "send-verification-email",
    "revoke-session",
    "verify-email",
    "get-session",
    "callback/google",
    "passkey/verify-authentication",
    "passkey/verify-registration",
    "passkey/update-passkey",
    "passkey/delete-passkey",
    "no-such-path",
    "..",
  ];
  const member = fc.constantFrom(
    "email",
    "password",
    "name",
    "newPassword",
    "currentPassword",
    "token",
    "code",
    "provider",
    "callbackURL",
    "newEmail",
    "image",
    "rememberMe",
    "emailVerified",
    "role",
    "id",
    "response",
  );
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(null, 1, true, {}, [], "a@b.example", "\u0000", "x".repeat(5000)),
  );

  test("never respond 500 to random input", async () => {
    const jar = victim.cookie;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.dictionary(member, value, { maxKeys: 4 }),
        fc.boolean(),
        async (path, body, signedIn) => {
          const response = await fetch(`${store.url}/api/auth/${path}`, {
            method: "POST",
            redirect: "manual",
            headers: {
              "content-type": "application/json",
              origin: store.url,
              cookie: signedIn ? attacker.cookie : jar.slice(0, 20),
            },
            body: JSON.stringify(body),
          });
          const text = await response.text();
          expect(response.status, `${path} ${JSON.stringify(body)} ${text.slice(0, 200)}`).toBeLessThan(500);
          expect(text).not.toMatch(INTERNALS);
          expect(text).not.toContain(MARK);
        },
      ),
      { numRuns: Math.max(40, RUNS * 2), endOnFailure: true },
    );
  });
});
