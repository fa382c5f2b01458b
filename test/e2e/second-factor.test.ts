/** Enabling two-factor authentication: scanned, opened on the same device or typed. */
import type { Page } from "playwright-core";
import { decodeQR } from "qr/decode.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  closePages,
  expectNoProblems,
  type OpenPage,
  openPage,
  type PageOptions,
} from "../harness/browser.ts";
import { codeOf } from "../harness/one-time-code.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { signUp } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(async () => {
  await closePages();
  await store?.stop();
});

const picture = (page: Page) => page.getByRole("img", { name: /^QR code/ });
const link = (page: Page) => page.getByRole("link", { name: "Open in your app" });
const uriOf = async (page: Page) => (await link(page).getAttribute("href")) ?? "";

/** Dashboard, Account of a user who is enabling it. `prepare` runs before that. */
async function switchOn(
  options: PageOptions,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<OpenPage & { email: string }> {
  const user = await signUp(store, "Sofia Second");
  const opened = await openPage(store, { ...options, user, drawn: true });
  const { page } = opened;
  await prepare?.(page);
  await page.goto("/dashboard/account");
  const form = page.locator("form", { has: page.getByRole("button", { name: "Switch on" }) });
  await form.getByLabel("Your password").fill(user.password);
  await form.getByRole("button").click();
  await link(page).waitFor();
  return { ...opened, email: user.email };
}

/** What a camera reads from the screen, in its colours and size. */
async function scan(page: Page): Promise<string> {
  await picture(page).scrollIntoViewIfNeeded();
  const png = (await picture(page).screenshot()).toString("base64");
  const { pixels, ...size } = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const { width, height } = image;
    const drawing = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    drawing?.drawImage(image, 0, 0);
    return { width, height, pixels: [...(drawing?.getImageData(0, 0, width, height).data ?? [])] };
  }, png);
  return decodeQR({ ...size, data: Uint8Array.from(pixels) });
}

async function confirm(page: Page): Promise<void> {
  await page.getByLabel("Code", { exact: true }).fill(codeOf(await uriOf(page)));
  await page.getByRole("button", { name: "Confirm code" }).click();
  await page.getByText("Two-factor authentication is on.").first().waitFor();
  await page.getByRole("button", { name: "Switch off" }).waitFor();
  expect(await page.getByLabel("Code", { exact: true }).inputValue()).toBe("");
}

test.each([
  { width: 1280, theme: "light" },
  { width: 390, theme: "dark" },
] as const)("a camera reads the key from a screen of $width pixels, $theme", async (options) => {
  const opened = await switchOn(options);
  const { page } = opened;
  expect(await page.locator(":focus").textContent()).toContain("Scan the code with an authenticator app");
  await picture(page).waitFor();
  expect(await scan(page)).toBe(await uriOf(page));
  const [app, code] = await Promise.all([link(page).boundingBox(), picture(page).boundingBox()]);
  // on a phone the link to the app comes before the QR code
  if (options.width === 390) expect(app?.y).toBeLessThan(code?.y ?? 0);
  await expectNoProblems(opened);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy recovery codes" }).click();
  await page.getByText("Recovery codes copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n")).toEqual(await page.locator(".codes li").allTextContents());
  await confirm(page);
  expect(await page.locator(":focus").textContent()).toBe("Confirm code");
  await opened.close();
});

test("the QR code library loads on demand, and shifts nothing", async () => {
  let draw = () => {};
  const released = new Promise<void>((resolve) => {
    draw = resolve;
  });
  const requests: string[] = [];
  const opened = await switchOn({}, (page) =>
    page.route(/qr-shape[^/]*\.js$/, async (route) => {
      requests.push(page.url());
      await released;
      await route.continue();
    }),
  );
  const { page } = opened;
  const place = () => page.getByLabel("Code", { exact: true }).boundingBox();
  await expect.poll(() => requests.length).toBe(1);
  const before = await place();
  expect(await picture(page).count()).toBe(0);
  draw();
  await picture(page).waitFor();
  expect(await place()).toEqual(before);
  await opened.close();
});

test("is switched off with the password and a code; a refusal is at its field", async () => {
  const opened = await switchOn({ width: 390 });
  const { page } = opened;
  const uri = await uriOf(page);
  await confirm(page);
  const form = page.locator("form", { has: page.getByRole("button", { name: "Switch off" }) });
  const code = form.getByLabel("Code or recovery code");
  const refusedWith = async (input: typeof code, text: string) => {
    await form.getByRole("button").click();
    await form.getByText(text).waitFor();
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
  };
  await form.getByLabel("Your password").fill("a wrong password");
  await refusedWith(code, "Code is required");
  await code.fill(codeOf(uri, 1));
  await refusedWith(form.getByLabel("Your password"), "Invalid password");
  await form.getByLabel("Your password").fill("a good password");
  await code.fill("no-such-code");
  await refusedWith(code, "The code is wrong.");
  opened.expectProblem(/40[01]/);
  await expectNoProblems(opened);
  await code.fill(codeOf(uri, 1));
  await form.getByRole("button").click();
  await page.getByText("Two-factor authentication is off.").first().waitFor();
  await page.getByRole("button", { name: "Switch on" }).waitFor();
  await opened.close();
});

test("a lost phone: new recovery codes, one of which logs in as it is typed on paper", async () => {
  const opened = await switchOn({ width: 390 });
  const { page } = opened;
  await confirm(page);
  const form = page.locator("form", { has: page.getByRole("button", { name: "Make new recovery codes" }) });
  await form.getByLabel("Your password").fill("a good password");
  await form.getByRole("button").click();
  await page.getByRole("button", { name: "Copy recovery codes" }).waitFor();
  expect(await page.locator(":focus").textContent()).toContain("Two-factor authentication");
  const [code = ""] = await page.locator(".codes li").allTextContents();
  await opened.close();

  const other = await openPage(store, { width: 390 });
  await other.page.goto("/login");
  await other.page.getByLabel("Email").fill(opened.email);
  await other.page.getByLabel("Password", { exact: true }).fill("a good password");
  await other.page.keyboard.press("Enter");
  const input = other.page.getByLabel("Code");
  await input.fill("aaaaa-aaaaa");
  await input.press("Enter");
  await other.page.getByText("This is not one of your recovery codes, or it was used already.").waitFor();
  other.expectProblem(/401/);
  await expectNoProblems(other);
  await input.fill(code.replace("-", " ").toUpperCase());
  await input.press("Enter");
  await other.page.waitForURL((url) => url.pathname !== "/login");
  await other.close();
});

test("without the code the key is sufficient", async () => {
  const opened = await switchOn({}, (page) => page.route(/qr-shape[^/]*\.js$/, (route) => route.abort()));
  const { page } = opened;
  await page.getByText("The QR code could not be loaded.").waitFor();
  const key = new URL(await uriOf(page)).searchParams.get("secret");
  expect(await page.locator(".secret .mono").textContent()).toBe(key);
  opened.expectProblem(/qr-shape/);
  await expectNoProblems(opened);
  await confirm(page);
  await opened.close();
});
