import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { adminOf, logIn, postIdentity, type SignedIn, signUp } from "../harness/people.ts";
import { codeOf } from "../harness/one-time-code.ts";
import { openStore, type TestStore } from "../harness/store.ts";
let store: TestStore;
beforeAll(async () => { store = await openStore(); });
afterAll(() => store.stop());
const mailTo = (email: string, subject: string) =>
  vi.waitFor(async () => {
    const found = (await store.outbox(email)).filter((mail) => mail.subject === subject).at(-1);
    expect(found, `"${subject}" to ${email}`).toBeDefined();
    return found as NonNullable<typeof found>;
  }, 10_000);
const linkIn = (text: string) => /https?:\/\/\S+/.exec(text.slice(text.indexOf(":\n")))?.[0] ?? "";

test("taken meanwhile", async () => {
  const user = await signUp(store);
  const newEmail = `new.${user.email}`;
  expect((await postIdentity(store, "/api/auth/change-email", { newEmail }, user.cookie)).status).toBe(200);
  const link = linkIn((await mailTo(newEmail, "Confirm your email address")).text);
  const other = await postIdentity(store, "/api/auth/sign-up/email", { name: "Other", email: newEmail, password: "a good password" });
  expect(other.status).toBe(200);
  const r = await fetch(link, { redirect: "manual", headers: { cookie: user.cookie } });
  console.log("TAKEN", r.status, r.headers.get("location"), (await r.text()).slice(0, 300));
  try { console.log("LOG", store.logs.expect(/./)); } catch {}
});
test("clicked twice at once", async () => {
  const user = await signUp(store);
  const newEmail = `new.${user.email}`;
  expect((await postIdentity(store, "/api/auth/change-email", { newEmail }, user.cookie)).status).toBe(200);
  const link = linkIn((await mailTo(newEmail, "Confirm your email address")).text);
  const rs = await Promise.all([1, 2, 3, 4].map(() => fetch(link, { redirect: "manual", headers: { cookie: user.cookie } })));
  console.log("TWICE", rs.map((r) => [r.status, r.headers.get("location")]));
  await new Promise((r) => setTimeout(r, 2000));
  console.log("TWICE mails", (await store.outbox(user.email)).map((m) => m.subject));
  try { console.log("LOG", store.logs.expect(/./)); } catch {}
});
test("sign-in variants", async () => {
  const user = await signUp(store);
  for (const callbackURL of ["https://evil.example/", "//evil.example", "/\\evil.example", "/%5cevil.example", "javascript:alert(1)", "/login"]) {
    for (const [path, body] of [["sign-in/email", { email: user.email, password: user.password, callbackURL }], ["request-password-reset", { email: user.email, redirectTo: callbackURL }], ["sign-up/email", { name: "x", email: `${crypto.randomUUID()}@b.example`, password: "a good password", callbackURL }], ["change-email", { newEmail: `${crypto.randomUUID()}@b.example`, callbackURL }]] as const) {
      const r = await postIdentity(store, `/api/auth/${path}`, body, user.cookie);
      console.log("CB", path, callbackURL, r.status, r.headers.get("location"), (await r.text()).slice(0, 150));
    }
    const r = await fetch(`${store.url}/api/auth/verify-email?token=abc&callbackURL=${encodeURIComponent(callbackURL)}`, { redirect: "manual" });
    console.log("CBV", callbackURL, r.status, r.headers.get("location"));
    const r2 = await fetch(`${store.url}/api/auth/reset-password/abc?callbackURL=${encodeURIComponent(callbackURL)}`, { redirect: "manual" });
    console.log("CBR", callbackURL, r2.status, r2.headers.get("location"));
  }
  await new Promise((r) => setTimeout(r, 1000));
  for (const m of await store.outbox(user.email)) if (/http/.test(m.text)) console.log("M", m.subject, m.text.match(/http\S+/g));
  try { console.log("LOG", store.logs.expect(/./)); } catch {}
}, 60000);
test("recovery code and reset link at once", async () => {
  const user = await signUp(store);
  const on = await (await postIdentity(store, "/api/auth/two-factor/enable", { password: user.password }, user.cookie)).json();
  const merged = await postIdentity(store, "/api/auth/two-factor/verify-totp", { code: await codeOf(on.totpURI) }, user.cookie);
  expect(merged.status).toBe(200);
  const waits = await Promise.all([1, 2, 3].map(() => postIdentity(store, "/api/auth/sign-in/email", { email: user.email, password: user.password })));
  const cookies = waits.map((w) => w.headers.getSetCookie().map((l) => l.split(";")[0]).join("; "));
  const rs = await Promise.all(cookies.map((c) => postIdentity(store, "/api/auth/two-factor/verify-backup-code", { code: on.backupCodes[0] }, c)));
  console.log("RECOVERY", await Promise.all(rs.map(async (r) => [r.status, (await r.text()).slice(0, 100)])));
  await postIdentity(store, "/api/auth/request-password-reset", { email: user.email });
  const link = new URL(linkIn((await mailTo(user.email, "Set a new password")).text));
  const token = link.searchParams.get("token");
  const resets = await Promise.all(["a new passwordA", "a new passwordB"].map((newPassword) => postIdentity(store, "/api/auth/reset-password", { token, newPassword })));
  console.log("RESET", resets.map((r) => r.status));
  await new Promise((r) => setTimeout(r, 1500));
  console.log("RESET mails", (await store.outbox(user.email)).map((m) => m.subject));
  try { console.log("LOG", store.logs.expect(/./)); } catch {}
}, 60000);
