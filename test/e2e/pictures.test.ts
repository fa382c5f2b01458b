/** Uploaded pictures in the browser: the chosen format and width, their space, and the fallback. */
import { rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPictureUrl } from "../../shop/pictures/urls.ts";
import { closePages, expectNoProblems, loseResponses, openPage, settled } from "../harness/browser.ts";
import { addProduct } from "../harness/orders.ts";
import { countShifts, shiftsOf } from "../harness/shifts.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
let portrait: string;
let clear: string;
beforeAll(async () => {
  store = await openStore();
  admin = await adminOf(store);
  portrait = await send(await photo(1500, 2000).jpeg().toBuffer());
  clear = await send(
    await sharp({ create: { width: 900, height: 900, channels: 4, background: "#00000000" } })
      .composite([{ input: Buffer.from('<svg><circle cx="450" cy="450" r="400" fill="#ff5a1f"/></svg>') }])
      .png()
      .toBuffer(),
  );
});
afterAll(async () => {
  await closePages();
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
  const { status, body } = await admin.send("addPicture", { body: { file: { name: "a.jpg", content } } });
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
  test("is an AVIF of a suitable width in the box of a drawing, and shifts nothing", async () => {
    const product = await addProduct(admin, { name: `Portrait ${width}`, picture: portrait });
    const visitor = await openPage(store, { width, user: admin });
    await countShifts(visitor);
    const requests: string[] = [];
    visitor.page.on("request", (request) => {
      if (request.url().includes("/pictures/")) requests.push(request.url());
    });
    await visitor.page.goto(`/product/${product._id}`);
    await settled(visitor.page);
    const { source, ratio, fit } = await loadedOf(visitor.page, `${product.name}, side view`);
    expect(source).toContain(readPictureUrl(portrait)?.hash);
    expect(source).toMatch(files);
    expect(requests).toEqual([`${store.url}${source}`]);
    expect(ratio).toBeCloseTo(4 / 3, 1);
    expect(fit).toBe("contain");
    const colour = await visitor.page.locator(".photo > svg path").getAttribute("fill");
    expect(colour).toBe(`#${readPictureUrl(portrait)?.colour}`);
    await visitor.page.goto("/tools?view=grid");
    await settled(visitor.page);
    const plate = visitor.page.locator(".plate", { has: visitor.page.locator(".photo") }).first();
    const { width: wide = 0, height: high = 0 } = (await plate.boundingBox()) ?? {};
    expect(wide / high).toBeCloseTo(4 / 3, 1);
    // the typeface may shift some text
    expect((await shiftsOf(visitor))?.join()).not.toMatch(/photo|picture|plate|card/);
    await expectNoProblems(visitor);
    await visitor.close();
  });

  test("that is transparent has no colour behind it; a thumbnail is the smallest file", async () => {
    await addProduct(admin, { name: `Clear ${width}`, picture: clear });
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

test("is replaced by the mark if its file cannot be loaded", async () => {
  const product = await addProduct(admin, { name: "Lost", picture: portrait });
  const visitor = await openPage(store, { user: admin });
  await visitor.page.route(/\/pictures\//, (route) => route.fulfill({ status: 404, body: "" }));
  await visitor.page.goto(`/product/${product._id}`);
  await visitor.page.locator(".picture-mark").first().waitFor();
  visitor.expectProblem(/404/);
  await visitor.close();
});

describe("the form of a product", () => {
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });

  /** A drop or paste is a DataTransfer with files. */
  const dispatch = (page: Page, kind: "drop" | "paste", name: string, content: Buffer) =>
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
    const opened = await openPage(store, { user: admin, width, theme: width === 390 ? "dark" : "light" });
    const { page } = opened;
    await page.goto("/dashboard/addProduct");
    const url = page.getByLabel("PictureImage address");
    const png = (background: string) =>
      sharp({ create: { width: 640, height: 480, channels: 3, background } })
        .png()
        .toBuffer();
    await page
      .getByLabel("File to upload")
      .setInputFiles(file("drill.png", await png(`#11${width % 10}000`)));
    await expect.poll(() => url.inputValue()).toMatch(/^\/pictures\/[\da-f]{32}-640x480-[\da-f]{6}\.jpg$/);
    const first = await url.inputValue();
    await page.locator(".tool-preview picture img").waitFor();

    await dispatch(page, "drop", "dropped.png", await png("#225522"));
    await expect.poll(() => url.inputValue()).not.toBe(first);
    const second = await url.inputValue();
    await dispatch(page, "paste", "pasted.png", await png("#882288"));
    await expect.poll(() => url.inputValue()).not.toBe(second);

    await page.getByLabel("File to upload").setInputFiles(
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
    // a path: the page would decode a buffer of this size itself
    const large = join(tmpdir(), `large-${width}.png`);
    await writeFile(large, "");
    await truncate(large, 20 * 1024 * 1024 + 1);
    await page.getByLabel("File to upload").setInputFiles(large);
    await page.getByText("The file is larger than 20 MB.").waitFor();
    await rm(large);
    await opened.close();
  });

  test("leaves pasted text to its field, also if a spreadsheet copied a picture of it", async () => {
    const opened = await openPage(store, { user: admin });
    const { page } = opened;
    await page.goto("/dashboard/addProduct");
    await settled(page);
    const isTaken = await page.getByLabel(/^Description/).evaluate((field) => {
      const data = new DataTransfer();
      data.setData("text/plain", "18 V, 2.1 kg");
      data.items.add(new File(["cells"], "image.png", { type: "image/png" }));
      const paste = { bubbles: true, cancelable: true, clipboardData: data };
      return !field.dispatchEvent(new ClipboardEvent("paste", paste));
    });
    expect(isTaken).toBe(false);
    expect(await page.getByText("image.png").count()).toBe(0);
    await expectNoProblems(opened);
    await opened.close();
  });

  test("shows the progress of an upload, and retries it after the session was renewed", async () => {
    const opened = await openPage(store, { user: admin });
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
      .getByLabel("File to upload")
      .setInputFiles(file("drill.png", await photo(900, 600).png().toBuffer()));
    await page.getByText("drill.png is uploaded.").waitFor();
    expect(await page.getByLabel("PictureImage address").inputValue()).toMatch(/^\/pictures\//);
    opened.expectProblem(/401/);
    await opened.close();
  });

  test("is not lost with the page without a question", async () => {
    const { _id } = await addProduct(admin, { name: "Left during an upload" });
    const { page, close } = await openPage(store, { user: admin });
    for (const [path, label] of [
      ["addProduct", "File to upload"],
      [`editProduct/${_id}`, "Files to upload"],
    ] as const) {
      await page.goto(`/dashboard/${path}`);
      await settled(page);
      const release = Promise.withResolvers<void>();
      await page.route("**/admin/pictures", (route) => release.promise.then(() => route.continue()));
      await page.getByLabel(label).setInputFiles(file("slow.png", await photo(90, 60).png().toBuffer()));
      await page.getByText("slow.png").waitFor();
      await page.getByRole("link", { name: "Customers" }).click();
      await page.getByRole("alertdialog", { name: "Leave this page?" }).waitFor();
      await page.getByRole("button", { name: "Stay" }).click();
      release.resolve();
      await page.getByText("slow.png is uploaded.").waitFor();
      await page.unroute("**/admin/pictures");
      await page.getByRole("link", { name: "Customers" }).click();
      await page.getByRole("button", { name: "Leave" }).click();
      await page.waitForURL("**/dashboard/customers");
    }
    await close();
  });
});

describe("several pictures of a product", () => {
  const png = (background: string) =>
    sharp({ create: { width: 640, height: 480, channels: 3, background } })
      .png()
      .toBuffer();

  test.each([1440, 390])(
    "are added, described, moved and removed, and shown to buyers, at %i pixels",
    async (width) => {
      const product = await addProduct(admin, {
        name: `Several ${width}`,
        picture: "/tools/angle-grinder.svg",
      });
      const opened = await openPage(store, { user: admin, width, theme: width === 390 ? "dark" : "light" });
      const { page } = opened;
      await page.goto(`/dashboard/editProduct/${product._id}`);
      const panel = page.locator("section.panel", { has: page.getByRole("heading", { name: "Pictures" }) });
      await panel.getByLabel("Files to upload").setInputFiles([
        { name: "works.svg", mimeType: "image/png", buffer: Buffer.from("<svg onload='alert(1)'></svg>") },
        { name: "guard-and-disc.png", mimeType: "image/png", buffer: await png("#406080") },
        { name: "slide_switch.png", mimeType: "image/png", buffer: await png("#a05030") },
        { name: "spare.png", mimeType: "image/png", buffer: await png("#208050") },
      ]);
      await expect.poll(() => panel.getByRole("listitem").count()).toBe(4);
      // the reason of a refused file stays while others are uploaded
      await panel.getByText("works.svg").waitFor();
      await panel.getByRole("alert").getByText(/SVG/).waitFor();
      opened.problems.length = 0;
      expect(await panel.getByLabel("Description of picture 2").inputValue()).toBe("guard and disc");
      await panel.getByLabel("Description of picture 2").fill("Guard and disc");
      await panel.getByRole("button", { name: "Remove picture 2" }).click();
      await expect.poll(() => panel.getByRole("listitem").count()).toBe(3);
      // a toast covers others on a phone
      await page.getByRole("button", { name: "Undo" }).press("Enter");
      await expect.poll(() => panel.getByRole("listitem").count()).toBe(4);
      expect(await panel.getByLabel("Description of picture 2").inputValue()).toBe("Guard and disc");
      await panel.getByLabel("Description of picture 2").fill("guard and disc");
      await panel.getByRole("button", { name: "Remove picture 4" }).click();
      await panel.getByLabel("Description of picture 3").fill("");
      await panel.getByRole("button", { name: "Update pictures" }).click();
      await panel.getByText("Describe the picture for people who cannot see it.").waitFor();
      await panel.getByLabel("Description of picture 3").fill("Slide switch");
      await panel.getByLabel("Description of picture 3").press("Alt+ArrowLeft");
      const second = panel.getByLabel("Description of picture 2");
      expect(await second.inputValue()).toBe("Slide switch");
      await second.press("Alt+ArrowRight");
      const third = panel.getByLabel("Description of picture 3");
      await expect.poll(() => third.evaluate((input) => input === document.activeElement)).toBe(true);
      await third.press("Alt+ArrowLeft");
      await panel.getByRole("button", { name: "Move picture 2 forward" }).click();
      // the input of the form is kept
      await page.getByLabel("Description", { exact: false }).first().fill("A grinder with a guard.");
      await settled(page);
      await expectNoProblems(opened);
      await panel.scrollIntoViewIfNeeded();
      await panel.getByRole("button", { name: "Update pictures" }).click();
      await page.getByText("The pictures are saved").waitFor();
      const saved = await admin.call("findProduct", { params: { id: product._id } });
      expect(saved.pictures?.map(({ alt }) => alt)).toEqual(["Slide switch", product.name, "guard and disc"]);
      expect(saved.picture).toBe(saved.pictures?.[0]?.url);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.waitForURL(/manageProduct/);
      expect(await admin.call("findProduct", { params: { id: product._id } })).toMatchObject({
        description: "A grinder with a guard.",
        pictures: saved.pictures,
      });

      await page.goto(`/product/${product._id}`);
      const gallery = page.getByRole("list", { name: "Pictures" });
      const plate = page.locator(".pdp__plate");
      await plate.getByAltText("Slide switch").waitFor();
      await gallery.getByRole("link", { name: "guard and disc" }).click();
      await plate.getByAltText("guard and disc").waitFor();
      await gallery.getByRole("link", { name: product.name }).press("Enter");
      await plate.getByAltText(product.name).waitFor();
      await settled(page);
      await expectNoProblems(opened);
      await opened.close();
    },
  );

  test("are refused together if they are too many, and one that is there already by its name", async () => {
    const product = await addProduct(admin, { name: "Full" });
    const opened = await openPage(store, { user: admin });
    const { page } = opened;
    await page.goto(`/dashboard/editProduct/${product._id}`);
    const panel = page.locator("section.panel", { has: page.getByRole("heading", { name: "Pictures" }) });
    const buffer = await png("#102030");
    const files = (length: number) =>
      Array.from({ length }, (_, index) => ({ name: `${index}.png`, mimeType: "image/png", buffer }));
    await panel.getByLabel("Files to upload").setInputFiles(files(12));
    await panel.getByText("A tool can have 12 pictures. Choose at most 11 more.").waitFor();
    await panel.getByLabel("Files to upload").setInputFiles(files(2));
    await page.getByText("1.png: This picture is there already.").first().waitFor();
    expect(await panel.getByRole("listitem").count()).toBe(2);
    await expectNoProblems(opened);
    await opened.close();
  });

  test("are saved after a lost response, with the beginning of a long file name as description", async () => {
    const product = await addProduct(admin, { name: "Long file name" });
    const opened = await openPage(store, { user: admin });
    const { page } = opened;
    await page.goto(`/dashboard/editProduct/${product._id}`);
    await page
      .getByLabel("Files to upload")
      .setInputFiles({ name: `${"a".repeat(220)}.png`, mimeType: "image/png", buffer: await png("#334455") });
    await page.getByLabel("Description of picture 2").waitFor();
    const stop = await loseResponses(page, `**/products/${product._id}/pictures`);
    const update = page.getByRole("button", { name: "Update pictures" });
    await update.click();
    await page.locator(".product-pictures").getByRole("alert").waitFor();
    stop();
    opened.expectProblem(/504/);
    await update.click();
    await page.getByText("The pictures are saved").waitFor();

    // set back to what was shown before
    const description = page.getByLabel("Description of picture 1");
    await description.fill("Mistake");
    const stopAgain = await loseResponses(page, `**/products/${product._id}/pictures`);
    await update.click();
    await page.locator(".product-pictures").getByRole("alert").waitFor();
    stopAgain();
    opened.expectProblem(/504/);
    await description.fill(product.name);
    await update.click();
    const saved = () => admin.call("findProduct", { params: { id: product._id } });
    await expect.poll(async () => (await saved()).pictures?.[0]?.alt).toBe(product.name);
    expect(await description.inputValue()).toBe(product.name);
    await opened.close();
  });

  test("changed by two admins at once: the second sees the conflict, and nothing is lost", async () => {
    const product = await addProduct(admin, { name: "Two admins" });
    const opened = await openPage(store, { user: admin });
    const { page } = opened;
    await page.goto(`/dashboard/editProduct/${product._id}`);
    await page
      .getByLabel("Files to upload")
      .setInputFiles({ name: "mine.png", mimeType: "image/png", buffer: await png("#112233") });
    await page.getByLabel("Description of picture 2").waitFor();
    await admin.call("saveProductPictures", {
      params: { id: product._id },
      body: { version: 1, pictures: [{ url: "/tools/jigsaw.svg", alt: "Theirs" }] },
    });
    await page.getByRole("button", { name: "Update pictures" }).click();
    await page.getByText("Another admin has changed this tool since you opened it.").first().waitFor();
    opened.expectProblem(/409/);
    expect(await page.getByLabel("Description of picture 2").inputValue()).toBe("mine");
    await opened.close();
  });
});
