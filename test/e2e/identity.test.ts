/** Signing in: with Google, refusals, the account page. */
import type { Emulator } from "emulate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  closePages,
  expectNoProblems,
  loseResponses,
  type OpenPage,
  openPage,
  settled,
} from "../harness/browser.ts";
import { freePort } from "../harness/free-port.ts";
import { codeOf } from "../harness/one-time-code.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { postIdentity, register, type SignedIn, signUp } from "../harness/users.ts";
import { CookieJar, googleEnvironment, openGoogle, throughGoogle } from "../security/google.ts";

let store: TestStore;
let google: Emulator;
let owner: SignedIn;
let guarded: SignedIn;
beforeAll(async () => {
  const port = await freePort();
  store = await openStore({ environment: googleEnvironment(port) });
  owner = await signUp(store, "Paula Password");
  guarded = await signUp(store, "Gil Guarded");
  google = await openGoogle(port, store.url, [
    { email: "gerda@google.example", name: "Gerda Google" },
    { email: "ulf@google.example", name: "Ulf Unverified", email_verified: false },
    { email: owner.email, name: "Paula at Google" },
    { email: guarded.email, name: "Gil at Google" },
  ]);
});
afterAll(async () => {
  await closePages();
  await google?.close();
  await store?.stop();
});

/** A visitor's page that can reach Google. */
async function visit(user?: SignedIn): Promise<OpenPage> {
  const opened = await openPage(store, user ? { user } : {});
  await opened.page.context().route(`${google.url}/**`, (route) => route.continue());
  return opened;
}

const alert = (page: Page) => page.getByRole("alert");
const path = (page: Page) => new URL(page.url()).pathname;

async function goThroughGoogle(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: /Google/ }).click();
  await page.waitForURL(`${google.url}/**`);
  await page.getByRole("button", { name: email }).or(page.getByText(email)).first().click();
  await page.waitForURL(`${store.url}/**`);
}

describe("Continue With Google", () => {
  test("can be pressed again after Back from Google", async () => {
    const { page, close } = await visit();
    await page.goto("/login");
    await settled(page);
    // the browser keeps the page as it was
    await page.route(`${google.url}/**`, (route) => route.abort("aborted"));
    const button = page.getByRole("button", { name: /Google/, disabled: false });
    await button.click();
    await expect.poll(() => button.getAttribute("aria-busy")).toBe("true");
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await expect.poll(() => button.getAttribute("aria-busy")).toBeNull();
    await close();
  });

  test("signs in, gets a token and returns to the previous page", async () => {
    const { page, ...opened } = await visit();
    await page.goto("/dashboard/orders");
    await page.waitForURL(/\/login\?from=/);
    await goThroughGoogle(page, "gerda@google.example");
    await page.waitForURL("**/dashboard/orders");
    await page.getByText("No orders yet").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toMatch(
      /^[\w-]+\.[\w-]+\.[\w-]+$/,
    );
    await page.getByText("Gerda Google").first().waitFor();
    await expectNoProblems({ page, ...opened });
    await opened.close();
  });

  test("requires the code of an account with a second factor, then continues", async () => {
    const jar = CookieJar.of(guarded.cookie);
    await throughGoogle(store, jar, guarded.email, "link-social");
    const post = async (path: string, body: object) =>
      (await postIdentity(store, `/api/auth/two-factor/${path}`, body, guarded.cookie)).json();
    const { totpURI } = await post("enable", { password: guarded.password });
    await post("verify-totp", { code: codeOf(totpURI) });
    const opened = await visit();
    const { page } = opened;
    await page.goto("/dashboard/orders");
    await page.waitForURL(/\/login\?from=/);
    await goThroughGoogle(page, guarded.email);
    await page.getByRole("heading", { name: "Enter your code" }).waitFor();
    await settled(page);
    await expectNoProblems(opened);
    await page.getByRole("button", { name: "Back to login" }).press("Enter");
    const heading = page.getByRole("heading", { name: "Login" });
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.reload();
    await page.getByLabel("Code").fill(codeOf(totpURI, 1));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/dashboard/orders");
    await page.getByText("No orders yet").waitFor();
    await opened.close();
  });

  test.each([
    [
      "ulf@google.example",
      "Google has not confirmed the email address of that account, so it cannot be used here.",
    ],
    ["the owner's", "An account with this email has a password."],
  ])("shows in red on the form why %s was refused", async (email, words) => {
    const { page, close } = await visit();
    await page.goto("/register");
    await goThroughGoogle(page, email === "the owner's" ? owner.email : email);
    expect(path(page)).toBe("/login");
    await expect.poll(() => alert(page).first().textContent()).toContain(words);
    expect(await page.evaluate(() => localStorage.getItem("accessToken"))).toBeNull();
    await close();
  });

  test("shows no text of a stranger's link", async () => {
    const { page, close } = await visit();
    await page.goto("/login?error=x&error_description=Call+0800-EVIL&from=https://evil.example");
    await alert(page).first().waitFor();
    expect(await page.textContent("body")).not.toContain("0800");
    await close();
  });

  test("is shown in red as not configured", async () => {
    const plain = await openStore();
    const { page, close } = await openPage(plain);
    for (const where of ["/login", "/register"]) {
      await page.goto(where);
      await page.getByRole("button", { name: "Continue With Google" }).click();
      await expect
        .poll(() => alert(page).first().textContent(), { message: where })
        .toContain("Login with Google is not set up on this store.");
    }
    await close();
    await plain.stop();
  });
});

describe("refusals of the identity library", () => {
  const fill = (page: Page, label: string, value: string) =>
    page.getByLabel(label, { exact: false }).first().fill(value);

  test("are shown in red on the login form, alike for known and unknown emails", async () => {
    const words: (string | null)[] = [];
    for (const email of [owner.email, "nobody@buyers.example"]) {
      const opened = await visit();
      await opened.page.goto("/login");
      await fill(opened.page, "Email", email);
      await fill(opened.page, "Password", "not the password");
      await opened.page.getByRole("button", { name: "Login" }).click();
      await alert(opened.page).first().waitFor();
      words.push(await alert(opened.page).first().textContent());
      opened.expectProblem(/401/);
      await opened.close();
    }
    expect(words[0]).toBe(words[1]);
  });

  test("use the specification's text for an invalid email, before a password email is requested", async () => {
    const opened = await visit();
    const requests: string[] = [];
    opened.page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
    await opened.page.goto("/login");
    await fill(opened.page, "Email", "foo");
    // by key: the error shown on blur moves the button from under a pointer
    await opened.page.getByRole("button", { name: "Forgot Password" }).press("Enter");
    await expect.poll(() => alert(opened.page).allTextContents()).toEqual(["Provide a valid email"]);
    expect(await opened.page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
    await settled(opened.page);
    expect(requests).toEqual([]);
    await opened.close();
  });

  test("are clear on the register form for an email that cannot be one", async () => {
    const opened = await visit();
    await opened.page.goto("/register");
    await fill(opened.page, "Name", "Somebody");
    await fill(opened.page, "Email", "x@y.z");
    await fill(opened.page, "Password", "some other password");
    await opened.page.getByRole("button", { name: "Register" }).click();
    await expect.poll(() => alert(opened.page).first().textContent()).toBe("Provide a valid email");
    opened.expectProblem(/400/);
    await opened.close();
  });

  test("do not move a button from under the pointer that presses it", async () => {
    const opened = await visit();
    const { page } = opened;
    await page.goto("/register");
    await fill(page, "Name", "Somebody");
    await fill(page, "Email", "nobody");
    await fill(page, "Password", "short");
    const button = await page.getByRole("button", { name: "Register" }).boundingBox();
    if (!button) throw new Error("The button is not visible.");
    // near its upper edge, from which an error moves it down
    await page.mouse.move(button.x + button.width / 2, button.y + 4);
    await page.mouse.down();
    await settled(page);
    await page.mouse.up();
    // submitting focuses the first field with an error
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
    expect(await alert(page).count()).toBe(2);
    await opened.close();
  });

  test("are shown in red on the register form and do not reveal that an email is known", async () => {
    const opened = await visit();
    await opened.page.goto("/register");
    await fill(opened.page, "Name", "Somebody");
    await fill(opened.page, "Email", owner.email);
    await fill(opened.page, "Password", "some other password");
    await opened.page.getByRole("button", { name: "Register" }).click();
    await expect
      .poll(() => alert(opened.page).first().textContent())
      .toContain("This account could not be created.");
    expect(await opened.page.textContent("body")).not.toMatch(/already (exists|in use|taken|registered)/i);
    opened.expectProblem(/422/);
    await opened.close();
    await expect
      .poll(async () => (await store.outbox()).map(({ to, subject }) => `${to}: ${subject}`), {
        timeout: 10_000,
      })
      .toContain(`${owner.email}: Somebody tried to register with your email`);
  });
});

test("the account page connects Google, sets a password and deletes the account", async () => {
  const opened = await visit(owner);
  const { page } = opened;
  await page.goto("/dashboard/profile");
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("heading", { name: "Active sessions" }).waitFor();
  await expectNoProblems(opened);
  await goThroughGoogle(page, owner.email);
  await page.getByText("You can log in with the Google account").waitFor();
  const current = page.getByLabel("Current password");
  const change = page.getByRole("button", { name: "Change password" });
  await current.fill("not the password");
  await page.getByLabel(/^New password/).fill("a better password");
  await change.click();
  await page.getByText("Invalid password").waitFor();
  expect(await current.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => current.evaluate((field) => field === document.activeElement)).toBe(true);
  await current.fill(owner.password);
  await change.click();
  await page.getByText("Your new password is set.").first().waitFor();
  expect(await current.inputValue()).toBe("");
  expect(await change.evaluate((button) => button === document.activeElement)).toBe(true);
  const keys = () => page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }).join());
  await page.evaluate((email) => {
    localStorage.setItem(`stator.cart:${email}`, '{"lines":[]}');
    sessionStorage.setItem(`stator.checkout:${email}`, "{}");
  }, owner.email);
  expect(await keys()).toContain(owner.email);
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete my account" }).click();
  await page.waitForURL(`${store.url}/`);
  await page.getByRole("link", { name: "Login" }).first().waitFor();
  await page.getByText("Your account is deleted.").waitFor();
  // the next user of the browser sees nothing of it
  expect(await keys()).not.toContain(owner.email);
  const { rowCount } = await store.pool.query(`SELECT 1 FROM identity."user" WHERE email = $1`, [
    owner.email,
  ]);
  expect(rowCount).toBe(0);
  opened.problems.splice(0); // 401 while the token is renewed
  await opened.close();
});

test.each([
  ["/register", "Password", "Register", false],
  ["/reset-password?token=any", "Password", "Set password", false],
  ["/dashboard/account", "New password", "Change password", true],
] as const)("on %s a refused new password is refused at its field", async (url, label, button, signedIn) => {
  const opened = await openPage(store, signedIn ? { user: await signUp(store, "Lena Long") } : {});
  const { page } = opened;
  await page.goto(url);
  await settled(page);
  for (const [name, value] of [
    ["Name", "Lena Long"],
    ["Email", "lena@buyers.example"],
    ["Current password", "a good password"],
  ] as const) {
    const field = page.locator("form", { has: page.getByRole("button", { name: button }) }).getByLabel(name);
    if (await field.count()) await field.fill(value);
  }
  const password = page.getByLabel(new RegExp(`^${label}`));
  const refusedWith = async (value: string, text: string) => {
    await password.fill(value);
    // by key: the error shown on blur moves the button from under a pointer
    await page.getByRole("button", { name: button }).press("Enter");
    await expect
      .poll(() =>
        password.evaluate(
          (input) => document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent,
        ),
      )
      .toBe(text);
    await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await page.locator(".formerr").count()).toBe(0);
  };
  await refusedWith("x".repeat(129), "Use at most 128 characters.");
  await refusedWith("password", "This password is too common. Choose another one.");
  opened.expectProblem(/400/);
  await expectNoProblems(opened);
  await opened.close();
});

test("who forgot the password sets a new one from the account page, by email", async () => {
  const user = await signUp(store, "Freya Forgets");
  const opened = await openPage(store, { user });
  const { page } = opened;
  await page.goto("/dashboard/account");
  await page.getByRole("button", { name: "Forgot Password" }).dblclick(); // sends one email
  await page.getByText("Password Reset Email Sent Successfully").waitFor();
  const linkIn = async () =>
    (await store.outbox(user.email)).flatMap(
      ({ text }) => /https?:\/\/\S+reset-password\S+/.exec(text) ?? [],
    )[0];
  await expect.poll(linkIn, { timeout: 10_000 }).toBeTruthy();
  await page.goto((await linkIn()) as string);
  await page.getByLabel(/^Password/).fill("one I remember");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.waitForURL(/\/login/);
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel(/^Password/).fill("one I remember");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("button", { name: "Sign Out" }).first().waitFor({ state: "attached" });
  const links = (await store.outbox(user.email)).filter(({ subject }) => subject === "Set a new password");
  expect(links).toHaveLength(1);
  await opened.close();
});

test("a deletion of the account whose response was lost ends the session", async () => {
  const user = await register(store, "Dora Deletes");
  const opened = await openPage(store, { user });
  const { page } = opened;
  await page.goto("/dashboard/account");
  await settled(page);
  const cart = `stator.cart:${user.email}`;
  await page.evaluate((key) => localStorage.setItem(key, '{"lines":[]}'), cart);
  const stop = await loseResponses(page, "**/account/*");
  const remove = page.getByRole("button", { name: "Delete my account" });
  await remove.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete my account" }).click();
  await page.getByText("The store is not ready.").first().waitFor();
  // somebody else may use this browser, also if nobody tries again
  expect(await page.evaluate((key) => localStorage.getItem(key), cart)).toBeNull();
  stop();
  await remove.first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete my account" }).click();
  await page.waitForURL(/\/login/);
  await page.getByText("Your session has ended.").first().waitFor();
  opened.expectProblem(/504|401/);
  await expectNoProblems(opened);
  await opened.close();
});

test.each(["Change email", "Connect Google", "Delete my account"])(
  "%s on a page that was opened an hour ago asks for the password there",
  async (name) => {
    const user = await signUp(store, `Hanna ${name}`);
    const opened = await openPage(store, { user });
    const { page } = opened;
    await page.goto("/dashboard/account");
    await settled(page);
    await store.pool.query(
      `UPDATE identity.session SET "confirmedAt" = now() - interval '61 minutes'
       WHERE "userId" = (SELECT id FROM identity."user" WHERE email = $1)`,
      [user.email],
    );
    await page.getByLabel("New email").fill("hanna@buyers.example");
    await page.getByRole("button", { name }).click();
    if (name.startsWith("Delete")) await page.getByRole("alertdialog").getByRole("button", { name }).click();
    await page.getByRole("alert").getByText("Confirm your identity first").waitFor();
    await page.getByRole("heading", { name: "Confirm your identity" }).waitFor();
    opened.expectProblem(/403/);
    await opened.close();
  },
);

test.each(["password", "second factor"])(
  "a changed %s whose response was lost leads to the login, as the session has ended",
  async (what) => {
    const user = await signUp(store, `Lotte ${what}`);
    const opened = await openPage(store, { user });
    const { page } = opened;
    await page.goto("/dashboard/account");
    await settled(page);
    // the new session is lost with the response
    await page.route(/change-password|verify-totp/, async (route) => {
      const cookies = await page.context().cookies();
      await route.fetch();
      await page.context().clearCookies();
      await page.context().addCookies(cookies);
      await route.fulfill({ status: 504, contentType: "text/html", body: "Gateway Timeout" });
    });
    if (what === "password") {
      await page.getByLabel("Current password").fill(user.password);
      await page.getByLabel(/^New password/).fill("a better password");
      await page.getByRole("button", { name: "Change password" }).click();
    } else {
      const form = page.locator("form", { has: page.getByRole("button", { name: "Switch on" }) });
      await form.getByLabel("Your password").fill(user.password);
      await form.getByRole("button").click();
      const uri = (await page.getByRole("link", { name: "Open in your app" }).getAttribute("href")) ?? "";
      await page.getByLabel("Code", { exact: true }).fill(codeOf(uri));
      await page.getByRole("button", { name: "Confirm code" }).click();
    }
    await page.waitForURL(/\/login/);
    await page.getByText("Your session has ended.").first().waitFor();
    opened.expectProblem(/504|401/);
    await expectNoProblems(opened);
    await opened.close();
  },
);

test("a store that requires a confirmed email says where its link was sent, resends it, and says so at sign-in", async () => {
  const strict = await openStore({ environment: { REQUIRE_VERIFIED_EMAIL: "on" } });
  const opened = await openPage(strict);
  const { page } = opened;
  await page.goto("/register");
  await settled(page);
  await page.getByLabel("Name").fill("Vera Verify");
  await page.getByLabel("Email").fill("vera@buyers.example");
  await page.getByLabel("Password").fill("a good password");
  await page.getByRole("button", { name: "Register" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await expect.poll(() => page.locator(":focus").textContent()).toBe("Check your email");
  await expectNoProblems(opened);
  await page.getByRole("button", { name: "Send it again" }).click();
  await page.getByText("A verification email is on its way to vera@buyers.example").last().waitFor();
  const links = async () =>
    (await strict.outbox())
      .filter(({ to }) => to === "vera@buyers.example") // the first admin's own arrives at some time
      .flatMap(({ text }) => /http\S*verify-email\S*/.exec(text)?.[0] ?? []);
  await expect.poll(async () => (await links()).length).toBe(2);

  await page.getByRole("link", { name: "Login" }).click();
  const logIn = async () => {
    await page.getByLabel("Email").fill("vera@buyers.example");
    await page.getByLabel("Password").fill("a good password");
    await page.getByRole("button", { name: "Login", exact: true }).click();
  };
  await logIn();
  await expect.poll(() => alert(page).first().textContent()).toContain("A new link is on its way to you");
  opened.expectProblem(/403/);
  await page.goto((await links()).at(-1) ?? "");
  await page.waitForURL(/\/login\?confirm=/);
  await page.getByRole("heading", { name: "Confirm your email" }).waitFor();
  await settled(page);
  await expectNoProblems(opened);
  await logIn();
  await page.getByText("Your email address is confirmed.").waitFor();
  await page.waitForURL(`${strict.url}/`);
  await opened.close();
  await strict.stop();
});
