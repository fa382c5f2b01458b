/** The record of sign-ins, refusals and changes: for the owner of an account, and for admins. */
import type { QueryResult } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { deleteOldActivity } from "../../shop/accounts/security-events.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, logIn, postIdentity, type SignedIn, signUp } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
});
afterAll(() => store.stop());

const activityOf = async (user: SignedIn) =>
  (await user.call("listActivity", { query: { limit: 100 } })).events.map(({ what, detail }) =>
    detail ? `${what}, ${detail}` : what,
  );

describe("the audit log of an account", () => {
  test("shows the owner sign-ins, refusals and changes", async () => {
    const user = await signUp(store, "Rita Recorded");
    const enter = (password: string) =>
      postIdentity(store, "/api/auth/sign-in/email", { email: user.email.toUpperCase(), password });
    expect((await enter("not the password")).status).toBe(401);
    const phone = await logIn(store, user);
    await phone.send("confirmAccount", { body: { password: "not it" } });
    await phone.call("confirmAccount", { body: { password: user.password } });
    await phone.call("endOtherSessions", {});
    const body = { currentPassword: user.password, newPassword: "a better password" };
    const change = (input: object) => postIdentity(store, "/api/auth/change-password", input, phone.cookie);
    // no guess: the present password is right
    expect((await change({ ...body, newPassword: "x".repeat(129) })).status).toBe(400);
    const changed = await change(body);
    expect(changed.status).toBe(200);
    const again = await logIn(store, { ...user, password: "a better password" });
    await postIdentity(store, "/api/auth/request-password-reset", { email: user.email });
    await (await logIn(store, { ...user, password: "a better password" })).signOut();
    expect(await activityOf(again)).toEqual([
      "Signed out",
      "Signed in, with a password",
      "Password link asked for",
      "Signed in, with a password",
      "Password changed",
      "Sessions ended, 1, all but the current one",
      "Confirmed, with the password",
      "Confirmation refused, wrong password",
      "Signed in, with a password",
      "Sign-in refused, wrong password",
      "Signed in, by registering",
    ]);
    const { events } = await again.call("listActivity", {});
    expect(events[0]).toMatchObject({ ip: expect.stringMatching(/127\.0\.0\.1|::1/), agent: "node" });
    expect(await activityOf(await signUp(store))).toEqual(["Signed in, by registering"]);
  });

  test("shows that an admin closed the account, and to admins which one", async () => {
    const user = await signUp(store, "Carl Closed");
    const params = { email: user.email };
    for (const closed of [true, false]) await admin.call("closeUser", { params, body: { closed } });
    const back = await logIn(store, user);
    const { events } = await back.call("listActivity", {});
    expect(events.slice(1, 3)).toMatchObject([
      { what: "Account opened again", by: "An admin" },
      { what: "Account closed", by: "An admin" },
    ]);
    expect(events[2]).not.toHaveProperty("ip");
    const found = await admin.call("searchActivity", { query: { q: "carl closed account" } });
    expect(found.events).toMatchObject([{ by: admin.email, ip: expect.any(String) }, { by: admin.email }]);
    const ofIp = { q: `carl opened ${found.events[0]?.ip}` };
    expect((await admin.call("searchActivity", { query: ofIp })).events).toEqual([found.events[0]]);
    const unknown = { q: "carl 203.0.113.7" };
    expect((await admin.call("searchActivity", { query: unknown })).events).toEqual([]);
  });

  test("lets admins search for refusals of existing and unknown accounts", async () => {
    const email = `ghost.${crypto.randomUUID()}@buyers.example`;
    await postIdentity(store, "/api/auth/sign-in/email", { email, password: "a secret that must not stay" });
    const outsider = await signUp(store, "Otto Outsider");
    expect((await outsider.send("listUsers")).status).toBe(403);
    const { events } = await admin.call("searchActivity", { query: { kind: "refused", limit: 100 } });
    expect(events[0]).toMatchObject({
      what: "Attempt refused",
      detail: "to see all users",
      call: "listUsers",
      who: { email: outsider.email },
    });
    expect(events[1]).toMatchObject({ what: "Sign-in refused", detail: "wrong password" });
    expect(events[1]).not.toHaveProperty("who");
    const { rows } = await store.pool.query<{ all: string }>(
      "SELECT string_agg(e::text, ' ') AS all FROM identity.account_event e",
    );
    expect(rows[0]?.all).not.toMatch(/ghost|a secret that|a good password|@/);
  });

  test("describes attempts in plain words", async () => {
    const outsider = await signUp(store, "Wanda Words");
    const params = { email: admin.email };
    expect((await outsider.send("makeAdmin", { params })).status).toBe(403);
    expect((await outsider.send("updateProfile", { params, body: { phone: "+1 555 0100" } })).status).toBe(
      403,
    );
    expect((await activityOf(outsider)).slice(0, 2)).toEqual([
      "Attempt refused, to change another account's profile",
      "Attempt refused, to make somebody an admin",
    ]);
    const { events } = await outsider.call("listActivity", {});
    expect(events[0]).not.toHaveProperty("call");
    for (const q of ["wanda somebody an admin", "wanda makeAdmin"])
      expect((await admin.call("searchActivity", { query: { q } })).events, q).toMatchObject([
        { detail: "to make somebody an admin", call: "makeAdmin" },
      ]);
  });

  test("is append-only: entries younger than half a year cannot be changed or deleted", async () => {
    const refused = [
      "UPDATE identity.account_event SET what = 'Nothing'",
      "DELETE FROM identity.account_event",
      "TRUNCATE identity.account_event",
    ];
    for (const statement of refused) await expect(store.pool.query(statement)).rejects.toThrow(/refused/);
    await store.pool.query(
      "INSERT INTO identity.account_event (at, what) VALUES (now() - interval '182 days', 'Long ago')",
    );
    const old = "DELETE FROM identity.account_event WHERE at < now() - interval '181 days'";
    expect((await store.pool.query(old)).rowCount).toBe(1);
  });

  test("is deleted after half a year, a limited number of entries per statement", async () => {
    await store.pool.query(
      `INSERT INTO identity.account_event (at, what)
       SELECT now() - interval '182 days' - n * interval '1 second', 'Long ago' FROM generate_series(1, 25000) AS n`,
    );
    const query = vi.spyOn(store.pool, "query");
    await deleteOldActivity(store);
    const results = await Promise.all(query.mock.results.map(({ value }) => value as Promise<QueryResult>));
    query.mockRestore();
    expect(results.map(({ rowCount }) => rowCount)).toEqual([10_000, 10_000, 5000]);
  });
});
