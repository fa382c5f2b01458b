import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Call } from "../../api/call.ts";
import { type CallName, contract } from "../../api/contract.ts";
import { problem } from "../../api/entities.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import { type Client, clientOf, type Parts } from "../harness/client.ts";
import { fingerprint } from "../harness/consistency.ts";
import { disablePolling, dropWebhooks } from "../harness/orders.ts";
import { openStore } from "../harness/store.ts";
import {
  adminOf,
  expiredTokenOf,
  forgedTokenOf,
  logIn,
  register,
  unsignedTokenOf,
} from "../harness/users.ts";
import { type Fixture, sampleOf, waitForImport } from "./samples.ts";

/** Every kind of caller. The owner is the user in the path, and the buyer of the purchase. */
const kinds = [
  "nobody",
  "someone with an expired token",
  "someone with a forged token",
  "someone with an unsigned token",
  "someone with the token of an ended session",
  "someone with the number of a session as token",
  "someone whose account was closed",
  "the owner by session alone",
  "the owner",
  "another user",
  "an admin",
] as const;
type Kind = (typeof kinds)[number];

let fixture: Fixture;
let clients: Record<Kind, Client>;
beforeAll(async () => {
  const store = await openStore();
  await dropWebhooks(store);
  await disablePolling(store);
  const [admin, owner, other] = [
    await adminOf(store),
    await register(store, "Olga Owner"),
    await register(store, "Otto Other"),
  ];
  const closed = await register(store, "Clara Closed");
  await admin.call("closeUser", { params: { email: closed.email }, body: { closed: true } });
  const signedOut = await logIn(store, owner);
  await signedOut.signOut();
  fixture = { store, admin, owner, other };
  clients = {
    nobody: clientOf(store),
    "someone with an expired token": clientOf(store, { token: await expiredTokenOf(store, owner) }),
    "someone with a forged token": clientOf(store, { token: await forgedTokenOf(owner) }),
    "someone with an unsigned token": clientOf(store, { token: unsignedTokenOf(owner) }),
    "someone with the token of an ended session": clientOf(store, { token: signedOut.token }),
    "someone with the number of a session as token": clientOf(store, {
      token: decodeURIComponent(owner.cookie.split("=")[1] ?? "").split(".")[0] ?? "",
    }),
    "someone whose account was closed": closed,
    "the owner by session alone": clientOf(store, { cookie: owner.cookie }),
    "the owner": owner,
    "another user": other,
    "an admin": admin,
  };
});
afterAll(() => fixture.store.stop());

/** As the contract's table says: "ok", or the status of the refusal. */
function expected(call: Call, kind: Kind): "ok" | 401 | 403 {
  if (call.access === "anyone") return "ok";
  const bySession = kind === "the owner by session alone";
  if (call.access === "session") {
    if (bySession || kind === "the owner") return "ok";
    return kind === "another user" || kind === "an admin" ? 403 : 401;
  }
  if (bySession && !call.acceptsSession) return 401;
  if (!["the owner by session alone", "the owner", "another user", "an admin"].includes(kind)) return 401;
  const allowed: Record<Exclude<Call["access"], "anyone" | "session">, boolean> = {
    user: true,
    self: kind === "the owner" || bySession,
    selfOrAdmin: kind !== "another user",
    buyer: kind === "the owner" || bySession,
    buyerOrAdmin: kind !== "another user",
    admin: kind === "an admin",
  };
  return allowed[call.access] ? "ok" : 403;
}

/** Who may make this call, but only on their own data, while the sample is the owner's. */
const aboutOnesOwn: CallName[] = [
  "createPaymentIntent",
  "endSession",
  "saveAddress",
  "deleteAddress",
  "findSavedList",
  "saveSavedList",
  "deleteSavedList",
];

describe.each(Object.keys(contract) as CallName[])("%s", (name) => {
  const call: Call = contract[name];
  // a refused call changes nothing, so the next one uses the same sample; what they changed is read after the last of them
  let refused: { parts: Parts; before: Record<string, string>; kinds: Kind[] } | undefined;
  afterAll(expectNoChanges);

  async function expectNoChanges(): Promise<void> {
    if (!refused) return;
    const { before, kinds } = refused;
    refused = undefined;
    const after = await fingerprint(fixture.store.pool);
    expect(after, `what the refused calls of ${kinds.join(", ")} changed`).toEqual(before);
  }

  test.each(kinds)(`(for ${call.access}) by %s`, async (kind) => {
    const parts = { ...(refused?.parts ?? (await sampleOf(name, fixture))) };
    // each caller has their own password; the samples' are alike except for the first admin's
    if (name === "confirmAccount" && kind === "an admin") parts.body = { password: fixture.admin.password };
    const isOthers = aboutOnesOwn.includes(name) && (kind === "another user" || kind === "an admin");
    const should = isOthers ? 403 : expected(call, kind);
    if (should === "ok") await expectNoChanges();
    else {
      refused ??= { parts, before: await fingerprint(fixture.store.pool), kinds: [] };
      refused.kinds.push(kind);
    }
    const { status, body } = await clients[kind].send(name, parts);
    const response = JSON.stringify(body);
    if (should === "ok") {
      expect(status, response).toBe(call.status ?? 200);
      // an undocumented member would be missing in what is parsed
      expect(call.output.parse(body)).toEqual(body);
      // queued jobs would change the store during the next call
      if (call.status === 202) await waitForImport(fixture.admin, body._id);
    } else {
      expect(status, response).toBe(should);
      expect(body).toMatchObject({ status: should, detail: expect.stringMatching(/\.$/) });
      expect(problem.parse(body)).toEqual(body);
    }
  });
});

const ofOneUser = (Object.keys(contract) as CallName[]).filter((name) => {
  const { access, query, body }: Call = contract[name];
  return (access === "self" || access === "selfOrAdmin") && (query || body);
});

test.each(ofOneUser)("%s refuses another user before it checks the input", async (name) => {
  const call: Call = contract[name];
  const { params = {} } = await sampleOf(name, fixture);
  const nonsense = { query: { limit: "much" }, body: call.body && { nonsense: 1 } };
  const reply = await fixture.other.send(name, { params, ...nonsense });
  expect(reply).toMatchObject({ status: 403, body: { detail: refusals.notYours } });
  expect(reply.body).not.toHaveProperty("fields");
});
