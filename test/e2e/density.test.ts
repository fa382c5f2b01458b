/** Compact rows: remembered, and at least 14 products on a screen. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, expectNoProblems, openPage } from "../harness/browser.ts";
import { openStore, type TestStore } from "../harness/store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(async () => {
  await closePages();
  await store.stop();
});

test("compact rows show at least 14 products on a screen of 1440 × 900, and are remembered", async () => {
  const opened = await openPage(store, { width: 1440, height: 900 });
  const { page } = opened;
  const rowsOnScreen = () =>
    page
      .locator("#results tbody tr:not(.grp)")
      .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  await page.goto("/tools");
  const comfortable = await rowsOnScreen();
  const compact = page.getByRole("button", { name: "Compact", pressed: false });
  await compact.click();
  await expect.poll(rowsOnScreen).toBeGreaterThanOrEqual(14);
  expect(comfortable).toBeLessThan(14);

  await page.reload();
  await page.getByRole("button", { name: "Compact", pressed: true }).waitFor();
  expect(await rowsOnScreen()).toBeGreaterThanOrEqual(14);
  await expectNoProblems(opened);

  await page.getByRole("button", { name: "Compact" }).click();
  await expect.poll(rowsOnScreen).toBe(comfortable);
  await opened.close();
});

test("Our Tools begins on the first screen of the home page", async () => {
  for (const [width, height] of [
    [1440, 900],
    [1280, 800],
    [390, 844],
  ] as const) {
    const opened = await openPage(store, { width, height });
    await opened.page.goto("/");
    const heading = await opened.page.getByRole("heading", { name: "Our Tools" }).boundingBox();
    expect((heading?.y ?? height) + (heading?.height ?? 0), `${width} × ${height}`).toBeLessThanOrEqual(
      height,
    );
    await opened.close();
  }
});
