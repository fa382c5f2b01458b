/** Screenshots of a page. */
import { writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { settled } from "../harness/browser.ts";

export interface Shot {
  /** the file; its extension is the format */
  file: string;
  /** at most this much of the page, in CSS pixels */
  height: number;
  /** relative to the page's own size */
  scale?: number;
}

/** A screenshot of the page's top, as high as the page but at most `height`. */
export async function shoot(page: Page, { file, height, scale = 1 }: Shot): Promise<void> {
  const size = await page.evaluate(() => {
    window.scrollTo({ top: 0, behavior: "instant" });
    const seen = window.innerHeight;
    // a dialog, an open menu or sheet covers the window, not the page below it
    const covered = document.querySelector(".scrim, details[open] > .drawer, :popover-open");
    const whole = covered ? seen : Math.max(document.documentElement.scrollHeight, seen);
    return { width: window.innerWidth, whole };
  });
  const session = await page.context().newCDPSession(page);
  const { data } = (await session.send("Page.captureScreenshot", {
    format: file.endsWith(".webp") ? "webp" : "png",
    ...(file.endsWith(".webp") && { quality: 72 }),
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width: size.width, height: Math.min(height, size.whole), scale },
  })) as { data: string };
  await session.detach();
  await writeFile(file, Buffer.from(data, "base64"));
}

/** Waits until the page is still, with all its pictures and typefaces. */
export async function settledWithPictures(page: Page): Promise<void> {
  await page.getByRole("heading").first().waitFor();
  await settled(page);
  await page.evaluate(async () => {
    for (const picture of document.querySelectorAll("img")) picture.loading = "eager";
    await Promise.allSettled([...document.images].map((picture) => picture.decode()));
    await document.fonts.ready;
  });
}
