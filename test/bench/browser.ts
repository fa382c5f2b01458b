/**
 * Page speed in Chromium: five visits each with an empty cache, medians. Once at full speed, once as a slow phone:
 * four times slower, 150 ms round trip, 1.6 Mbit/s. Then the navigation to each page from another one: with its data
 * prefetched on hover, or by a tap.
 */
import { gzipSync } from "node:zlib";
import pg from "pg";
import { type Browser, chromium } from "playwright-core";
import type { Product } from "../../api/entities.ts";
import { readConfig } from "../../server/config.ts";
import { openPictureStorage } from "../../server/pictures.ts";
import { findChromium } from "../harness/find-chromium.ts";
import { type Buyer, enrolBuyers, send } from "./buyers.ts";
import { median } from "./compare.ts";
import { generatePictures } from "./generate-pictures.ts";
import { type RunningStore, startScript, startStore, temporaryFolder } from "./processes.ts";
import { printRow, type Table } from "./table.ts";
import { changeRoute, measurePaint, type Place, type Vitals, visit } from "./visit.ts";

const VISITS = Number(process.env.BENCH_VISITS ?? 5);

export async function measureBrowser(): Promise<Table> {
  const { folder, remove } = temporaryFolder();
  const store = await startStore(folder);
  const browser = await launch();
  const site = `http://localhost:${store.port}`;
  const [buyer] = await enrolBuyers(store, 1);
  if (!buyer) throw new Error("No buyer could register.");
  const places = await placesOf(site, buyer);
  const rows: string[][] = [];
  try {
    rows.push(...(await measurePlaces(browser, site, [...places, await myOrders(store, buyer)])));
    await addPhotographs(store);
    const withPictures = places.filter(({ path }) => path !== "/cart");
    const named = withPictures.map((place) => ({ ...place, name: `${place.name}, photographs` }));
    rows.push(...(await measurePlaces(browser, site, named)));
  } finally {
    await browser.close();
    await store.stop();
    remove();
  }
  return {
    title: "In the browser",
    head: [
      "Page",
      "Where",
      "LCP, ms",
      "LCP of the HTML alone, ms",
      "First paint, ms",
      "CLS",
      "Interaction to next paint, ms",
      "Client navigation, ms",
      "Transferred, kB",
      "of it before the LCP, kB",
    ],
    rows,
    note: `Chromium, medians of ${VISITS} visits with an empty cache, after a warm-up. HTML alone: the same document and headers without scripts, links and picture files, served by Node alone, alternating with the store. The slow network has 1.6 Mbit/s and a round trip of 150 ms, with a CPU four times slower. Interaction: the slower of the theme switch and one control of the page (a question, a facet, the quantity, a cell of the cart, Cancel Order). Client navigation: from the click on a link (logo, Get Started, Buy Now, the cart in the header, My Orders in the menu) to the first frame of the next page as its script sees it, after half a second of hover; on the phone after a tap, with nothing prefetched. Photographs: the tools have uploaded pictures in place of drawings.`,
  };
}

async function measurePlaces(browser: Browser, site: string, places: Place[]): Promise<string[][]> {
  const baseline = await startScript("bare-server.ts", await documentsOf(site, places));
  const limit = `http://localhost:${baseline.port}`;
  const rows: string[][] = [];
  for (const place of places) {
    for (const slow of [false, true]) {
      rows.push(await measure(browser, site, limit, place, slow));
      printRow(rows.at(-1) as string[]);
    }
  }
  await baseline.stop();
  return rows;
}

/** Uploaded pictures in place of the drawings of all tools. */
async function addPhotographs({ connection, folder }: RunningStore): Promise<void> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  const config = readConfig({ DATA_DIR: folder });
  const storage = await openPictureStorage(config, client, (error) => printRow([error.message]));
  await generatePictures(client, storage, 1_000, (done) => printRow([done]));
  await client.end();
}

async function placesOf(site: string, { cookie }: Buyer): Promise<Place[]> {
  const [tool] = (await (await fetch(`${site}/products`)).json()) as { _id: string; name: string }[];
  if (!tool) throw new Error("The sample catalogue is empty.");
  return [
    { name: "Home", path: "/", press: "main details:not([open]) summary", from: "/tools", link: "a.logo" },
    {
      name: "Catalogue",
      path: "/tools",
      press: ".bar__filters, .facet input",
      from: "/",
      link: ".hero__cta a",
    },
    {
      name: "Tool",
      path: `/product/${tool._id}`,
      cookie,
      press: 'button[aria-label="Increase quantity"]',
      from: "/tools",
      link: `#results a[href="/product/${tool._id}"]`,
    },
    { name: "Cart", path: "/cart", press: ".pad input", from: "/tools", link: "a.cartbtn" },
  ];
}

const ORDERS = 50;

/** My Orders of a buyer who has placed fifty. */
async function myOrders(store: RunningStore, buyer: Buyer): Promise<Place> {
  const site = `http://localhost:${store.port}`;
  const tools = (await (await fetch(`${site}/products`)).json()) as Product[];
  for (let number = 0; number < ORDERS; number += 1) {
    const tool = tools[number % tools.length] as Product;
    const order = {
      address: "Unit 6, Canal Yard",
      productId: tool._id,
      purchaseQuantity: tool.minimum_order,
    };
    await send(store, "POST", "/purchase", order, { Authorization: `Bearer ${buyer.token}` });
  }
  return {
    name: `My Orders, ${ORDERS} of them`,
    path: "/dashboard/orders",
    cookie: buyer.cookie,
    press: 'button[aria-label^="Cancel Order"]',
    from: "/dashboard/profile",
    link: '.side a[href="/dashboard/orders"]',
  };
}

/** Headers that belong to the encoded bytes. */
const OF_A_TRANSFER = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
]);

/** The limit: this browser with the document alone. */
async function documentsOf(site: string, places: Place[]) {
  const documents = await Promise.all(
    places.map(async ({ path, cookie }) => {
      const answer = await fetch(site + path, cookie ? { headers: { cookie } } : {});
      const alone = (await answer.text())
        .replace(/<script\b[\s\S]*?<\/script>|<link\b[^>]*>/g, "")
        .replace(/ src="[^"]*"/g, "");
      const body = gzipSync(alone).toString("base64");
      const own = [...answer.headers].filter(([name]) => !OF_A_TRANSFER.has(name));
      return [path, { headers: [...own, ["content-encoding", "gzip"]], body }];
    }),
  );
  return Object.fromEntries(documents);
}

async function measure(
  browser: Browser,
  site: string,
  limit: string,
  place: Place,
  slow: boolean,
): Promise<string[]> {
  await visit(browser, site, place, slow);
  await measurePaint(browser, limit, place, slow);
  const alone: number[] = [];
  const visits: Vitals[] = [];
  const moves: number[] = [];
  for (let round = 0; round < VISITS; round += 1) {
    visits.push(await visit(browser, site, place, slow));
    alone.push(await measurePaint(browser, limit, place, slow));
    moves.push(await changeRoute(browser, site, place, slow));
  }
  const of = (vital: keyof Vitals) => median(visits.map((one) => one[vital]));
  return [
    place.name,
    slow ? "phone, slow network" : "desktop",
    `**${of("lcp").toFixed(0)}**`,
    median(alone).toFixed(0),
    of("fcp").toFixed(0),
    of("cls").toFixed(3),
    of("press").toFixed(0),
    median(moves).toFixed(0),
    of("kilobytes").toFixed(0),
    of("before").toFixed(0),
  ];
}

export async function launch(): Promise<Browser> {
  const { path, environment } = await findChromium();
  return chromium.launch({
    executablePath: path,
    env: { ...process.env, ...environment },
    // only the store responds: no map tiles, and no interception that would slow every request
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost"],
  });
}
