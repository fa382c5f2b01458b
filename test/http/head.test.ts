/**
 * Metadata of pages for sharing, search engines and installing: heads, structured data, sitemap, robots, manifest.
 */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { questions } from "../../app/pages/storefront/home/home-texts.ts";
import { addProduct } from "../harness/orders.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, register, type SignedIn } from "../harness/users.ts";

let store: TestStore;
let admin: SignedIn;
beforeAll(async () => {
  store = await openStore({ sample: true });
  admin = await adminOf(store);
});
afterAll(() => store.stop());

const get = (path: string) => fetch(store.url + path);
const headOf = async (path: string) =>
  /<head>[\s\S]*<\/head>/.exec(await (await get(path)).text())?.[0] ?? "";
const texts = ["/contact", "/privacy", "/terms"];
const indexed = ["/", "/tools", "/blog", "/portfolio", "/login", "/register", ...texts];

test("a lazy component is rendered in the first page that needs it", async () => {
  for (const words of ["qqqq", "zzzz"]) {
    const page = await get(`/tools?q=${words}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`No tool matches “${words}”`);
  }
});

describe("the head", () => {
  test("of every public page has a title, a description and an Open Graph card of its own", async () => {
    const heads = await Promise.all(indexed.map(headOf));
    for (const [at, head] of heads.entries()) {
      const path = indexed[at];
      const title = /<title>([^<]+ \| Stator)<\/title>/.exec(head)?.[1];
      const description = meta(head, "name", "description");
      expect(description?.length, path).toBeGreaterThan(30);
      expect(meta(head, "property", "og:title"), path).toBe(title);
      expect(meta(head, "property", "og:description"), path).toBe(description);
      expect(meta(head, "property", "og:url"), path).toBe(store.url + path);
      expect(head, path).toContain(`<link rel="canonical" href="${store.url}${path}"/>`);
      expect(head, path).not.toContain("noindex");
    }
    expect(new Set(heads.map((head) => /<title>.*<\/title>/.exec(head)?.[0])).size).toBe(indexed.length);
  });

  test("has a picture that exists with the stated size", async () => {
    const head = await headOf("/");
    const url = meta(head, "property", "og:image") ?? "";
    expect(url.startsWith(store.url)).toBe(true);
    const size = ["width", "height"].map((side) => Number(meta(head, "property", `og:image:${side}`)));
    expect(await pngSize(url)).toEqual(size);
  });

  test.each(["/nowhere", "/reset-password"])("of %s asks not to be indexed", async (path) => {
    expect(meta(await headOf(path), "name", "robots")).toBe("noindex");
  });

  test.each(["/nowhere"])("of %s, which does not exist, names no URL", async (path) => {
    const head = await headOf(path);
    expect(head).toContain("<title>Page not found | Stator</title>");
    expect(head).not.toMatch(/canonical|og:url/);
  });

  test("has icons for browsers and phones", async () => {
    const head = await headOf("/");
    expect(head).toContain('<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>');
    expect(head).toContain('<link rel="apple-touch-icon" href="/icons/180.png"/>');
    expect((await get("/favicon.svg")).headers.get("content-type")).toBe("image/svg+xml");
    expect(await pngSize(`${store.url}/icons/180.png`)).toEqual([180, 180]);
  });
});

describe("structured data", () => {
  test("of the home page names the seller, the search, and the four questions with their answers", async () => {
    const { "@graph": graph } = await dataOf("/");
    const of = (type: string) => graph.find((one: Json) => one["@type"] === type);
    expect(of("Organization")).toMatchObject({ name: "Stator", url: `${store.url}/` });
    expect(await pngSize(of("Organization").logo)).toEqual([512, 512]);
    const { target } = of("WebSite").potentialAction;
    const found = await fetch(target.replace("{words}", "jigsaw"));
    expect(await found.text()).toContain("Jigsaw");
    const shown = of("FAQPage").mainEntity.map((one: Json) => [one.name, one.acceptedAnswer.text]);
    expect(shown).toEqual(questions.map(({ question, answer }) => [question, answer]));
  });
});

describe("the page of a product, which is protected", () => {
  const productUrl = (product: { _id: string }) => `${store.url}/product/${product._id}`;

  test("redirects a visitor to the login and back, whatever the id", async () => {
    const product = await addProduct(admin);
    for (const path of [
      `/product/${product._id}`,
      `/PRODUCT/${product._id}/?utm_source=mail`,
      "/product/none",
    ]) {
      const response = await fetch(store.url + path, { redirect: "manual" });
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe(`/login?from=${encodeURIComponent(path)}`);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("redirects a visitor whose URL spells the path in another way", async () => {
    const { _id } = await addProduct(admin);
    for (const path of [`/%70roduct/${_id}`, `/x/../product/${_id}`, "/%2e/%63heckout", "/x\\..\\checkout"]) {
      // fetch would normalise it
      const sent = request(store.url, { path }).end();
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      expect([response.statusCode, response.headers.location], path).toEqual([
        302,
        expect.stringMatching(/^\/login/),
      ]);
    }
  });

  test("is not for search engines: not in sitemap or robots.txt, and without structured data", async () => {
    const product = await addProduct(admin);
    const response = await fetch(productUrl(product), { headers: { cookie: admin.cookie } });
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(meta(html, "name", "robots")).toBe("noindex");
    expect(html).not.toContain("application/ld+json");
  });

  test("is 404 for a user if the product does not exist", async () => {
    const { cookie } = await register(store);
    expect((await fetch(`${store.url}/product/not-an-id`, { headers: { cookie } })).status).toBe(404);
  });

  test("says why a stock below the minimum order cannot be ordered, without the form", async () => {
    const lowStock = await addProduct(admin, { minimum_order: 10, quantity: 4 });
    const { cookie } = await register(store);
    const html = await (await fetch(productUrl(lowStock), { headers: { cookie } })).text();
    const markup = html.replace(/<script[\s\S]*?<\/script>|<!--.*?-->/g, "");
    expect(markup).toContain("4 are in stock. The minimum order is 10.");
    expect(markup).not.toMatch(/Purchase<\/span><\/button>|<button[^>]*>Purchase/);
  });

  test("escapes a name that closes the script", async () => {
    const evil = await addProduct(admin, { name: "</script><script>alert(1)</script>" });
    const response = await fetch(productUrl(evil), { headers: { cookie: admin.cookie } });
    expect(await response.text()).not.toContain("<script>alert(1)");
  });
});

test.each([
  ["/dashboard/books", "/dashboard/reconciliation"],
  ["/dashboard/history?q=AG%20125", "/dashboard/audit-log?q=AG%20125"],
  ["/dashboard/mails", "/dashboard/emails"],
])("the former path %s redirects to %s", async (from, to) => {
  const response = await fetch(store.url + from, { redirect: "manual" });
  expect(response.status).toBe(301);
  expect(response.headers.get("location")).toBe(to);
});

describe("a navigation to a call", () => {
  // fetch would set Sec-Fetch-Mode itself
  const navigate = async (path: string, headers: Record<string, string>) => {
    const [response] = (await once(request(store.url + path, { headers }).end(), "response")) as [
      IncomingMessage,
    ];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  const document = { "Sec-Fetch-Mode": "navigate", Accept: "text/html,*/*;q=0.8" };

  test.each([
    ["/orders", "/dashboard/orders"],
    ["/purchases", "/dashboard/manageOrder"],
    ["/account", "/dashboard/account"],
    ["/overview", "/dashboard/overview"],
    ["/history", "/dashboard/audit-log"],
    ["/books", "/dashboard/reconciliation"],
    ["/admin/users", "/dashboard/makeAdmin"],
    ["/catalog?q=drill&category=Saws", "/tools?q=drill&category=Saws"],
    ["/products", "/tools"],
    ["/products/0199", "/product/0199"],
    ["/order/0199", "/dashboard/order/0199"],
    ["/user/ada@example.com", "/dashboard/profile"],
  ])("%s gets the page %s", async (path, page) => {
    // bypassing the shared cache
    await navigate(path, { "Sec-Fetch-Mode": "cors" });
    for (const headers of [document, { Accept: "text/html" }]) {
      const response = await navigate(path, headers);
      expect(response.status).toBe(302);
      expect(response.headers.location).toBe(page);
    }
  });

  test("gets the 404 page when no page exists for it", async () => {
    const response = await navigate("/reviews", document);
    expect(response.status).toBe(404);
    expect(response.body).toContain("Page not found");
  });

  test("excludes scripts and clients that accept any type", async () => {
    for (const headers of [{ "Sec-Fetch-Mode": "cors", Accept: "text/html" }, { Accept: "*/*" }]) {
      const response = await navigate("/reviews", headers);
      expect(response.headers["content-type"]).toMatch(/^application\/json/);
    }
  });
});

test("the sitemap lists the public pages, each of which exists, and no protected one", async () => {
  const response = await get("/sitemap.xml");
  expect(response.headers.get("content-type")).toMatch(/^application\/xml/);
  const xml = await response.text();
  const listed = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url ?? "");
  expect(listed).toEqual(["/", "/tools", "/blog", "/portfolio", ...texts].map((path) => store.url + path));
  for (const url of listed) expect((await fetch(url)).status, url).toBe(200);
});

test("robots.txt excludes the dashboard and the calls, and names the sitemap", async () => {
  const response = await get("/robots.txt");
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  const lines = (await response.text()).trim().split("\n");
  expect(lines).toEqual([
    "User-agent: *",
    "Disallow: /dashboard",
    "Disallow: /product/",
    "Disallow: /checkout",
    "Disallow: /api/",
    `Sitemap: ${store.url}/sitemap.xml`,
  ]);
});

test("the manifest names the store and icons of the stated size", async () => {
  const response = await get("/site.webmanifest");
  expect(response.headers.get("content-type")).toMatch(/^application\/(manifest\+)?json/);
  const manifest = await response.json();
  expect(manifest).toMatchObject({ name: "Stator", start_url: "/", lang: "en" });
  for (const { src, sizes, type } of manifest.icons) {
    if (type !== "image/png") continue;
    expect((await pngSize(store.url + src)).join("x"), src).toBe(sizes);
  }
  expect(await headOf("/")).toContain('<link rel="manifest" href="/site.webmanifest"/>');
});

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, whose members the test asserts
type Json = any;

async function dataOf(path: string): Promise<Json> {
  const html = await (await get(path)).text();
  return JSON.parse(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "");
}

function meta(head: string, kind: "name" | "property", name: string): string | undefined {
  return new RegExp(`<meta ${kind}="${name}" content="([^"]*)"/>`).exec(head)?.[1];
}

/** Width and height in a PNG's header. */
async function pngSize(url: string): Promise<number[]> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  expect(bytes.subarray(1, 4).toString(), url).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
