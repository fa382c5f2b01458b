/** Passkeys with the browser's virtual authenticator: added, used, refused, removed. */
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage } from "../harness/browser.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, type SignedIn, signUp } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ environment: { REQUIRE_ADMIN_2FA: "on" } });
});
afterAll(async () => {
  await closePages();
  await store?.stop();
});

interface Key {
  /** whether user verification succeeds */
  setVerified(isUserVerified: boolean): Promise<void>;
}

/** Adds a platform authenticator to the browser. */
async function addAuthenticator(page: Page): Promise<Key> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setVerified: async (isUserVerified) => {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}

const alert = (page: Page) => page.getByRole("alert").first();

async function add(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name of a new passkey").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
}

/** Until the store knows it: a page opened before that is still signed in. */
async function signOut(page: Page): Promise<void> {
  const signedOut = page.waitForResponse("**/api/auth/sign-out");
  await page.getByRole("button", { name: "Sign Out" }).first().click();
  await signedOut;
}

const mailsTo = async ({ email }: SignedIn) => (await store.outbox(email)).map(({ subject }) => subject);

const open = (user?: SignedIn) => openPage(store, user ? { user } : {});

test("a passkey is added, renamed, signs in, confirms again, and is removed", async () => {
  const owner = await signUp(store, "Petra Passkey");
  const opened = await open(owner);
  const { page } = opened;
  const key = await addAuthenticator(page);
  await page.goto("/dashboard/account");
  await add(page, "Work laptop");
  await page.getByText("The passkey is added.").first().waitFor();
  await page.getByRole("button", { name: "Rename Work laptop" }).click();
  const name = page.getByLabel("New name");
  expect(await name.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await name.inputValue()).toBe("Work laptop");
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await page.locator(":focus").textContent()).toBe("Passkeys");
  await page.getByRole("button", { name: "Rename Work laptop" }).click();
  await name.fill("Desk laptop");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByText("Desk laptop", { exact: true }).waitFor();
  await expectNoProblems(opened);
  await add(page, "The same device");
  await expect.poll(() => alert(page).textContent()).toContain("already has a passkey for your account");

  await signOut(page);
  await page.goto("/login?from=%2Fdashboard%2Faccount");
  await key.setVerified(false);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect
    .poll(() => alert(page).textContent(), { timeout: 20_000 })
    .toContain("No passkey was provided.");
  await key.setVerified(true);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await page.waitForURL("**/dashboard/account");
  await page.getByText("Signed in, with a passkey").waitFor();
  await page.getByText(/last used/).waitFor();

  // an hour later, the same key confirms again, without a second session
  const sessions = `FROM identity.session WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`;
  const count = async () => (await store.pool.query(`SELECT 1 ${sessions}`, [owner.email])).rowCount;
  const before = await count();
  await store.pool.query(
    `UPDATE identity.session SET "confirmedAt" = now() - interval '2 hours'
     WHERE id IN (SELECT id ${sessions})`,
    [owner.email],
  );
  await add(page, "Too late");
  await expect.poll(() => alert(page).textContent()).toContain("Confirm");
  opened.expectProblem(/403/);
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await page.getByText("Confirmed for the next hour.").first().waitFor();
  expect(await count()).toBe(before);

  await page.getByRole("button", { name: "Remove Desk laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await page.getByText("The passkey is removed.").first().waitFor();
  await page.getByText("Desk laptop", { exact: true }).waitFor({ state: "detached" });
  expect(await page.getByLabel("Name of a new passkey").inputValue()).toBe("Too late");
  await signOut(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect.poll(() => alert(page).textContent(), { timeout: 20_000 }).toContain("not known here");
  opened.problems.splice(0); // 401 of the refused key, and while the token was renewed
  await opened.close();
  await expect.poll(() => mailsTo(owner), { timeout: 10_000 }).toContain("Your account has a new passkey");
  await expect.poll(() => mailsTo(owner)).toContain("A passkey of your account was removed");
});

test("a passkey satisfies the two-factor requirement of admins", async () => {
  const admin = await adminOf(store);
  expect((await admin.send("listUsers")).status).toBe(403);
  const opened = await open(admin);
  const { page } = opened;
  await addAuthenticator(page);
  // the admin page says so, with a link to the account page
  await page.goto("/dashboard/manageOrder");
  await page.getByRole("heading", { name: "Two-factor authentication required" }).waitFor();
  await page.getByRole("link", { name: "Go to Account" }).click();
  await expect.poll(() => page.locator(":focus").textContent()).toBe("Two-factor authentication");
  await add(page, "Office key");
  await page.getByText("The passkey is added.").first().waitFor();
  await signOut(page);
  await page.goto("/login?from=%2Fdashboard%2FmakeAdmin");
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await page.waitForURL("**/dashboard/makeAdmin");
  await page.getByRole("rowheader", { name: admin.email }).first().waitFor();
  opened.problems.splice(0); // 403 before the key was used
  await opened.close();
});

test("a browser without passkeys says so", async () => {
  const opened = await open();
  const { page } = opened;
  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await page.goto("/login");
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect.poll(() => alert(page).textContent()).toContain("This browser cannot use passkeys here.");
  expect(opened.problems).toEqual([]);
  await opened.close();
});
