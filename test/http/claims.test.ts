/** The texts of the public pages, literally from the specification, as in the HTML. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore, type TestStore } from "../harness/store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await openStore({ sample: true });
});
afterAll(() => store.stop());

/** The text of a page without its markup, scripts and styles; spaces are collapsed. */
async function textOf(path: string): Promise<string> {
  const html = await htmlOf(path);
  return html
    .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");
}

async function htmlOf(path: string): Promise<string> {
  const response = await fetch(`${store.url}${path}`);
  expect(response.status).toBe(200);
  return response.text();
}

async function mainOf(path: string): Promise<string> {
  return /<main\b.*<\/main>/s.exec(await htmlOf(path))?.[0] ?? "";
}

const headings = async (path: string, level: number) =>
  [...(await mainOf(path)).matchAll(new RegExp(`<h${level}\\b[^>]*>(.*?)</h${level}>`, "gs"))].map(
    ([, text]) => (text ?? "").replace(/<[^>]+>/g, "").trim(),
  );

describe("the home page", () => {
  test("has the six sections in the specification's order", async () => {
    expect((await mainOf("/")).match(/<section\b/g)).toHaveLength(6);
    expect(await headings("/", 2)).toEqual([
      "Our Tools",
      "Business Summary",
      "Customer Reviews",
      "Question and Answer",
      "Our Location",
    ]);
    expect(await mainOf("/")).toMatch(/<a [^>]*href="\/tools"[^>]*><span[^>]*>Get Started/);
  });

  test("says that all tools are made in the own factory and are authentic", async () => {
    expect(await textOf("/")).toContain("All tools are made in our own factory and are authentic.");
  });

  test("describes how to purchase a tool, in order", async () => {
    expect(await textOf("/")).toContain(
      "Choose Buy Now on a tool's card, which opens the tool, and log in when you are asked to. " +
        "Enter a quantity between the minimum order and the stock, add your address and choose Purchase. " +
        "The order then appears under Dashboard, My Orders.",
    );
  });

  test("says that shipment starts after successful payment", async () => {
    expect(await textOf("/")).toContain("Shipment starts after successful payment.");
  });

  test("says that delivery takes 24 to 72 working hours after an order is completed", async () => {
    expect(await textOf("/")).toContain("Delivery takes 24 to 72 working hours after an order is completed.");
  });

  test("has the address and a link to the map, also without scripts", async () => {
    const place = (await mainOf("/")).split(/<h2[^>]*>Our Location/)[1];
    expect(place).toContain("14 Foundry Lane, Port Harrow");
    expect(place).toMatch(/<a [^>]*href="https:\/\/www\.openstreetmap\.org[^>]*>Open in OpenStreetMap</);
  });

  test("has the four counters", async () => {
    expect(await textOf("/")).toMatch(/150\+ Customers 125M\+ Annual revenue 33K\+ Reviews 100\+ Tools/);
  });
});

test("the blog has the five topics", async () => {
  const topics = await headings("/blog", 2);
  expect(topics).toHaveLength(5);
  for (const [place, topic] of [
    /performance/i,
    /state/i,
    /prototyp/i,
    /search|find|name/i,
    /unit test/i,
  ].entries())
    expect(topics[place]).toMatch(topic);
});

test("the portfolio has education, skills and three projects", async () => {
  expect(await headings("/portfolio", 2)).toEqual(["Education", "Skills", "Projects"]);
  const projects = (await htmlOf("/portfolio")).split(/<h2[^>]*>Projects/)[1]?.split("</section>")[0] ?? "";
  expect(projects.match(/<h3\b/g)).toHaveLength(3);
});

test("the footer links to the contact, terms and privacy pages, which say what they must", async () => {
  const footer = /<footer\b.*<\/footer>/s.exec(await htmlOf("/"))?.[0] ?? "";
  const footerPages: [string, string, RegExp[]][] = [
    [
      "/contact",
      "Contact",
      [/14 Foundry Lane/, /555 0142 0180/, /orders@stator\.example/, /Give the order number/],
    ],
    ["/terms", "Terms", [/Shipment starts after successful payment/, /kept for 7 days and then cancelled/]],
    [
      "/privacy",
      "Privacy",
      [/salted hash/, /id="cookies"/, /card number .*never reaches our server/, /delete the account/],
    ],
  ];
  for (const [path, title, facts] of footerPages) {
    expect(footer).toContain(`href="${path}"`);
    const main = await mainOf(path);
    expect(main).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
    for (const fact of facts) expect(main).toMatch(fact);
  }
  expect(footer).toContain('href="/privacy#cookies"');
});

test("the header offers Blog, My Portfolio, Dashboard and Login to visitors", async () => {
  const html = await htmlOf("/");
  const menu = /<nav class="hdr__nav".*?<\/nav>/s.exec(html)?.[0] ?? "";
  const links = [...menu.matchAll(/<a[^>]*>(.*?)<\/a>/g)];
  expect(links.map(([, text]) => text)).toEqual(["Tools", "Blog", "My Portfolio", "Dashboard"]);
  expect(links.map(([link]) => link).filter((link) => /when-(in|out)/.test(link))).toEqual([]);
  expect(html).toMatch(/<div class="[^"]*when-out"><a[^>]*href="\/login"[^>]*><span[^>]*>Login/);
});
