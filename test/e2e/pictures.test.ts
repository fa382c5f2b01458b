/** Uploaded pictures in the browser: the format and width that it takes, their place, and what stands in for them. */
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAddress } from "../../shop/pictures/addresses.ts";
import { closeBrowser, expectNoProblems, openPage, settled } from "../harness/browser.ts";
import { adminOf, type SignedIn } from "../harness/people.ts";
import { countShifts, shiftsOf } from "../harness/shifts.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { offer } from "../harness/trade.ts";

let store: TestStore;
let admin: SignedIn & { role: "admin" };
let portrait: string;
let clear: string;
beforeAll(async () => {
  store = await openStore();
  admin = { ...(await adminOf(store)), role: "admin" };
  portrait = await send(await photo(1500, 2000).jpeg().toBuffer());
  clear = await send(
    await sharp({ create: { width: 900, height: 900, channels: 4, background: "#00000000" } })
      .composite([{ input: Buffer.from('<svg><circle cx="450" cy="450" r="400" fill="#ff5a1f"/></svg>') }])
      .png()
      .toBuffer(),
  );
});
afterAll(async () => {
  await closeBrowser();
  await store.stop();
});

const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: "#2f6f9f",
      noise: { type: "gaussian", mean: 90, sigma: 12 },
    },
  });

async function send(content: Buffer): Promise<string> {
  const { status, body } = await admin.ask("addPicture", { body: { file: { name: "a.jpg", content } } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.url;
}

const loadedOf = (page: Page, name: string) =>
  page.getByAltText(name).evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const { width, height } = image.getBoundingClientRect();
    return {
      source: new URL(image.currentSrc).pathname,
      ratio: width / height,
      fit: getComputedStyle(image).objectFit,
    };
  });

describe.each([
  { width: 1440, files: /-960\.avif$/ },
  { width: 390, files: /-480\.avif$/ },
])("an uploaded picture at $width pixels", ({ width, files }) => {
  test("is an AVIF of a fitting width in the box of a drawing, and moves nothing", async () => {
    const product = await offer(admin, { name: `Portrait ${width}`, picture: portrait });
    const visitor = await openPage(store, { width, person: admin });
    await countShifts(visitor);
    await visitor.page.goto(`/product/${product._id}`);
    await settled(visitor.page);
    const { source, ratio, fit } = await loadedOf(visitor.page, `${product.name}, side view`);
    expect(source).toContain(readAddress(portrait)?.hash);
    expect(source).toMatch(files);
    expect(ratio).toBeCloseTo(4 / 3, 1);
    expect(fit).toBe("contain");
    const colour = await visitor.page.locator(".photo > svg path").getAttribute("fill");
    expect(colour).toBe(`#${readAddress(portrait)?.colour}`);
    await visitor.page.goto("/tools?view=grid");
    await settled(visitor.page);
    // the typeface may move some text
    expect((await shiftsOf(visitor))?.join()).not.toMatch(/photo|picture|plate|card/);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("that is transparent has no colour behind it; a thumbnail is the smallest file", async () => {
    await offer(admin, { name: `Clear ${width}`, picture: clear });
    const visitor = await openPage(store, { width, theme: "dark" });
    await visitor.page.goto("/tools?view=list");
    const thumbnail = visitor.page.locator(`.item__pic img[src="${clear}"]`).first();
    await thumbnail.scrollIntoViewIfNeeded();
    await expect
      .poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.currentSrc))
      .toMatch(/-160\.avif$/);
    expect(await visitor.page.locator(`.photo img[src="${clear}"]`).count()).toBe(0);
    await visitor.close();
  });
});

test("where a file cannot be loaded, the mark is in its place", async () => {
  const product = await offer(admin, { name: "Lost", picture: portrait });
  const visitor = await openPage(store, { person: admin });
  await visitor.page.route(/\/pictures\//, (route) => route.fulfill({ status: 404, body: "" }));
  await visitor.page.goto(`/product/${product._id}`);
  await visitor.page.locator(".picture-mark").first().waitFor();
  visitor.expectProblem(/404/);
  await visitor.close();
});

describe("the form of a tool", () => {
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });

  /** What a person drops or pastes is a DataTransfer with files. */
  const hand = (page: Page, kind: "drop" | "paste", name: string, content: Buffer) =>
    page.evaluate(
      ([how, fileName, base64]) => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        data.items.add(new File([bytes], fileName, { type: "image/png" }));
        const options = { bubbles: true, cancelable: true };
        if (how === "paste")
          document.body.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }));
        else
          document
            .querySelector(".picture-drop")
            ?.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: data }));
      },
      [kind, name, content.toString("base64")] as const,
    );

  test.each([1440, 390])("takes a picture by dialog, drop and paste at %i pixels", async (width) => {
    const opened = await openPage(store, { person: admin, width, theme: width === 390 ? "dark" : "light" });
    const { page } = opened;
    await page.goto("/dashboard/addProduct");
    const address = page.getByLabel("PictureImage address");
    const png = (background: string) =>
      sharp({ create: { width: 640, height: 480, channels: 3, background } })
        .png()
        .toBuffer();
    await page.getByLabel("Picture file").setInputFiles(file("drill.png", await png(`#11${width % 10}000`)));
    await expect
      .poll(() => address.inputValue())
      .toMatch(/^\/pictures\/[\da-f]{32}-640x480-[\da-f]{6}\.jpg$/);
    const first = await address.inputValue();
    await page.locator(".tool-preview picture img").waitFor();

    await hand(page, "drop", "dropped.png", await png("#225522"));
    await expect.poll(() => address.inputValue()).not.toBe(first);
    const second = await address.inputValue();
    await hand(page, "paste", "pasted.png", await png("#882288"));
    await expect.poll(() => address.inputValue()).not.toBe(second);

    await page.getByLabel("Picture file").setInputFiles(
      file(
        "spare.tiff",
        await sharp(await png("#000000"))
          .tiff()
          .toBuffer(),
      ),
    );
    const error = page.getByRole("alert").filter({ hasText: "TIFF pictures cannot be shown in a browser." });
    await error.waitFor();
    opened.expectProblem(/422/);
    await page.locator(".picture-drop").scrollIntoViewIfNeeded();
    await settled(page);
    await expectNoProblems(opened);
    await page
      .getByLabel("Picture file")
      .setInputFiles(file("large.png", Buffer.alloc(20 * 1024 * 1024 + 1)));
    await page.getByText("The file is larger than 20 MB.").waitFor();
    await opened.close();
  });

  test("shows how far a file is, and sends it again where the session had to be renewed", async () => {
    const opened = await openPage(store, { person: admin });
    const { page } = opened;
    await page.goto("/dashboard/addProduct");
    let held = true;
    await page.route("**/admin/pictures", async (route) => {
      if (!held) return route.continue();
      held = false;
      await page.getByText("0%", { exact: true }).waitFor();
      await route.fulfill({
        status: 401,
        contentType: "application/problem+json",
        body: '{"status":401,"detail":"x"}',
      });
    });
    await page
      .getByLabel("Picture file")
      .setInputFiles(file("drill.png", await photo(900, 600).png().toBuffer()));
    await expect.poll(() => page.getByLabel("PictureImage address").inputValue()).toMatch(/^\/pictures\//);
    await page.getByText("drill.png is uploaded.").waitFor();
    opened.expectProblem(/401/);
    await opened.close();
  });
});
