/** The address book on the profile page, on a phone and a desktop, by pointer and by keyboard. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

const addressesOf = async (user: SignedIn) =>
  (await user.call("listAddresses", {})).addresses.map(({ _id, ...address }) => address);

test.each([
  [1440, "light"],
  [390, "dark"],
] as const)("at %i pixels, %s, addresses are added, changed, deleted and restored", async (width, theme) => {
  const user = await register(store, "Ada Lovell");
  const visitor = await openPage(store, { user, width, height: 900, theme });
  const { page } = visitor;
  const focused = () =>
    page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
    );
  await page.goto("/dashboard/profile");
  await page.getByText("Keep the places that you order for").waitFor();
  await page.getByRole("button", { name: "New address" }).press("Enter");
  const form = page.getByRole("form", { name: "New address" });
  await form.getByRole("button", { name: "Save address" }).click();
  await form.getByText("Enter a name for this place.").waitFor();
  await form.getByText("Address is required").waitFor();
  await expectNoProblems(visitor);
  // too long a text is refused, not cut off
  await form.getByLabel("Name of the place").focus();
  await page.keyboard.insertText("Easterby depot ".repeat(6));
  expect(await form.getByLabel("Name of the place").inputValue()).toHaveLength(90);
  await form.getByLabel("Address").fill("14 Foundry Lane, Easterby");
  await form.getByRole("button", { name: "Save address" }).click();
  await form.getByText("Use at most 80 characters.").waitFor();
  visitor.expectProblem(/422/);
  await form.getByLabel("Address").fill("");
  await form.getByLabel("Name of the place").fill("Easterby depot");
  await page.keyboard.press("Tab");
  await page.keyboard.type("14 Foundry Lane");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Easterby");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Noor Adeyemi");
  await page.keyboard.press("Enter");
  const shown = page.getByText("14 Foundry Lane");
  await shown.waitFor();
  expect((await shown.boundingBox())?.height, "two lines").toBeGreaterThan(30);
  await expect.poll(focused).toBe("New address");
  await page.getByRole("status").filter({ hasText: "“Easterby depot” is saved." }).waitFor();
  const depot = { name: "Easterby depot", address: "14 Foundry Lane\nEasterby", contact: "Noor Adeyemi" };
  expect(await addressesOf(user)).toEqual([depot]);
  await user.call("addAddress", { body: { name: "Site 14", address: `Gate ${"9".repeat(200)}` } });
  await page.reload();
  await page.getByText("Site 14").waitFor();

  await page.getByRole("button", { name: "Change Easterby depot" }).press("Enter");
  const change = page.getByRole("form", { name: "Change Easterby depot" });
  await change.getByLabel("Phone").fill("+1 555 0142");
  // another form in its place would lose the text
  expect(await page.getByRole("button", { name: "Change Site 14" }).isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "New address" }).isDisabled()).toBe(true);
  await settled(page);
  await expectNoProblems(visitor);
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isWide, "scrolls sideways").toBe(false);
  await change.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Noor Adeyemi, +1 555 0142").waitFor();
  await expect.poll(focused).toBe("Change Easterby depot");
  const changed = { ...depot, phone: "+1 555 0142" };
  expect((await addressesOf(user))[0]).toEqual(changed);

  await page.getByRole("button", { name: "Delete Easterby depot" }).press("Enter");
  await shown.waitFor({ state: "detached" });
  expect(await addressesOf(user)).toHaveLength(1);
  await page.getByRole("button", { name: "Undo deleting Easterby depot" }).press("Enter");
  await shown.waitFor();
  expect((await addressesOf(user))[0]).toEqual(changed);
  await expectNoProblems(visitor);
  await visitor.close();
});

test("an address that is deleted with a double click can be restored once", async () => {
  const user = await register(store);
  await user.call("addAddress", { body: { name: "Site 14", address: "Gate 9" } });
  const { page, close } = await openPage(store, { user });
  await page.goto("/dashboard/profile");
  await page.getByRole("button", { name: "Delete Site 14" }).dblclick();
  await page.getByText("Keep the places that you order for").waitFor();
  await settled(page);
  expect(await page.getByRole("button", { name: "Undo deleting Site 14" }).count()).toBe(1);
  await close();
});

test("unsaved input is not lost without a prompt, nor is an address deleted in another tab", async () => {
  const user = await register(store);
  const { _id: id } = await user.call("addAddress", { body: { name: "Yard", address: "1 Quay" } });
  const visitor = await openPage(store, { user });
  const { page } = visitor;
  await page.goto("/dashboard/profile");
  await page.getByRole("button", { name: "Change Yard" }).click();
  await page.getByLabel("Address", { exact: true }).fill("2 Quay");
  await page.getByRole("link", { name: "My Orders" }).first().click();
  await page.getByRole("alertdialog", { name: "Leave this page?" }).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  await user.call("deleteAddress", { params: { id } });
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("This address is not in your address book.").waitFor();
  visitor.expectProblem(/404/);
  expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe("2 Quay");
  await expectNoProblems(visitor);
  await visitor.close();
});

test("Undo of a deletion keeps what is typed into another address", async () => {
  const user = await register(store);
  await user.call("addAddress", { body: { name: "Yard", address: "1 Quay" } });
  const visitor = await openPage(store, { user });
  const { page } = visitor;
  await page.goto("/dashboard/profile");
  await page.getByRole("button", { name: "Delete Yard" }).click();
  await page.getByText("1 Quay").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "New address" }).click();
  const address = page.getByLabel("Address", { exact: true });
  await address.fill("2 Quay");
  await page.getByRole("button", { name: "Undo deleting Yard" }).click();
  await page.getByText("1 Quay").waitFor();
  expect(await address.inputValue()).toBe("2 Quay");
  await visitor.close();
});
