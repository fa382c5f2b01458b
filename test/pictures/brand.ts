/** The pictures of public/ drawn by a browser: the card for sharing, and the icons. */
import type { Page } from "playwright-core";

const card = { width: 1200, height: 630 };
const iconSizes = [180, 192, 512];

/** Our pages allow no inline style, but a constructed stylesheet. */
const sheet = `
  body { margin: 0; overflow: hidden; background: #f4f6f8; color: #141c24; }
  .card { width: 1200px; height: 630px; overflow: hidden; }
  .card__top { display: flex; justify-content: space-between; align-items: end; height: 190px; padding: 0 56px 38px;
    box-sizing: border-box; border-bottom: 1px solid #d0d9df; }
  .card__top p { font: 600 56px/56px var(--font-sans); font-stretch: 116%; letter-spacing: -0.03em; }
  .card__top svg { width: 200px; height: auto; }
  .card__plate { background: #e2e8ec; height: 440px; overflow: hidden; }
  .card__plate svg { display: block; width: 1176px; height: auto; margin: -6px 0 0 19px; }
  .icon { display: grid; color: #141c24; place-items: center; background: #f4f6f8; }
  .icon svg { width: 78%; height: 78%; }
`;

/** Draws the pictures with the parts of the home page and returns each file's name and bytes. */
export async function drawBrand(page: Page): Promise<[string, Buffer][]> {
  await page.setViewportSize(card);
  await page.goto("/", { waitUntil: "networkidle" }); // after that React no longer updates the element
  const icon = await (await page.request.get("/logo-mark.svg")).text();
  const words = "Electric tools<br>from the factory";
  await page.evaluate(
    async ([rules, line]) => {
      const rulesOfCard = new CSSStyleSheet();
      rulesOfCard.replaceSync(rules);
      document.adoptedStyleSheets = [rulesOfCard];
      const [logo, drawing] = [".logo svg", ".hero__svg"].map((at) => document.querySelector(at)?.outerHTML);
      document.body.innerHTML = `<div class="card"><div class="card__top"><p>${line}</p>${logo}</div>
        <div class="card__plate">${drawing}</div></div>`;
      await document.fonts.ready;
    },
    [sheet, words] as const,
  );
  const drawn: [string, Buffer][] = [["og.png", await page.screenshot()]];
  for (const size of iconSizes) {
    await page.setViewportSize({ width: size, height: size });
    await page.evaluate(
      ([mark, side]) => {
        document.body.innerHTML = `<div class="icon">${mark}</div>`;
        const box = document.querySelector<HTMLElement>(".icon");
        box?.style.setProperty("width", `${side}px`);
        box?.style.setProperty("height", `${side}px`);
      },
      [icon, size] as const,
    );
    drawn.push([`icons/${size}.png`, await page.screenshot()]);
  }
  return drawn;
}
