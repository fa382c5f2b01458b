/** Takes the pictures of the README and of public/, and a screenshot of every screen into build/screens. */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, test } from "vitest";
import { closePages, openPage, type PageOptions } from "../harness/browser.ts";
import { drawBrand } from "./brand.ts";
import { openSampleStore, type SampleStore } from "./sample-store.ts";
import { type Screen, screens } from "./screens.ts";
import { listOfScreens } from "./screens-page.ts";
import { settledWithPictures, shoot } from "./shoot.ts";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const publicFolder = fileURLToPath(new URL("../../public", import.meta.url));
const gallery = fileURLToPath(new URL("../../build/screens", import.meta.url));
/** pictures at full size, for review: a folder outside the project */
const full = process.env.PICTURES_FULL;
const only = process.env.PICTURES_ONLY;

let sample: SampleStore;
beforeAll(async () => {
  sample = await openSampleStore();
  for (const folder of [gallery, full]) if (folder) await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await closePages();
  await sample?.store.stop();
});

test.skipIf(only)("the README's", async () => {
  const files: [string, string, number, PageOptions][] = [
    ["home", "/", 1500, {}],
    ["product", "/product/TOOL", 1200, { user: sample.users.buyer }],
    ["cart", "/cart", 1000, { user: sample.users.buyer }],
    ["order", "/dashboard/order/PARTLY", 1200, { user: sample.users.buyer }],
    ["shipping", "/dashboard/order/PARTLY", 1200, { user: sample.users.admin }],
    ["admin", "/dashboard/overview", 1200, { user: sample.users.admin }],
    ["phone", "/tools?view=grid", 844, { width: 390, height: 844 }],
    ["dark", "/tools", 1000, { theme: "dark" }],
  ];
  for (const [name, path, height, options] of files) {
    await capture({ path }, options, async (page) =>
      shoot(page, { file: `${docs}/pictures/${name}.png`, height }),
    );
  }
});

test.skipIf(only && only !== "brand")("the brand's, in public", async () => {
  const { page, close } = await openPage(sample.store, { drawn: true });
  for (const [file, bytes] of await drawBrand(page)) await writeFile(`${publicFolder}/${file}`, bytes);
  await close();
});

const chosen = screens.filter(({ name }) => !only || name.match(only));
test.each(chosen)("$name", async (screen) => {
  for (const width of screen.phoneOnly ? [390] : [1440, 390]) {
    const device = width === 390 ? "phone" : "desk";
    const user = screen.who === "visitor" ? undefined : sample.users[screen.who];
    await capture(screen, { width, height: 900, ...(user && { user }) }, async (page) => {
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        const file = `${screen.name}-${device}-${theme}`;
        const scale = width === 390 ? 0.6 : 0.32;
        await shoot(page, { file: `${gallery}/${file}.webp`, height: 1.6 * 900, scale });
        if (full) await shoot(page, { file: `${full}/${file}.png`, height: 9000 });
      }
    });
  }
});

test.skipIf(only)("the list of screens", async () => {
  await writeFile(`${gallery}/README.md`, listOfScreens(screens));
});

async function capture(
  { path, act }: Pick<Screen, "path" | "act">,
  options: PageOptions,
  then: (page: Awaited<ReturnType<typeof openPage>>["page"]) => Promise<void>,
): Promise<void> {
  const { page, close } = await openPage(sample.store, { ...options, drawn: true });
  await page.goto(path.replace(/[A-Z]{4,}$/, (name) => sample.ids[name] ?? name));
  await settledWithPictures(page);
  if (act) {
    await act(page);
    await page.waitForTimeout(700);
  }
  await then(page);
  await close();
}
