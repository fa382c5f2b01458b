import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import * as account from "../../shop/emails/account-templates.ts";
import { composeEmail } from "../../shop/emails/compose.ts";
import { formatDuration, formatInstant, greeting } from "../../shop/emails/formatting.ts";
import { absoluteLink, type Email, oneLine } from "../../shop/emails/layout.ts";
import { html } from "../../shop/emails/markup.ts";
import * as orders from "../../shop/emails/order-templates.ts";
import * as purchases from "../../shop/emails/purchase-templates.ts";
import type { Store } from "../../shop/store.ts";

const publicUrl = "https://stator.example";
const site = { publicUrl, sender: "Harrow Tools & Co, 1 Dock Road, Harrow" };

const row = {
  id: "0199f0c4-6f1e-7d2a-9a53-1f0e5b1c2d3e",
  number: 10_482,
  po_number: "HFO-4471",
  name: "Ingrid Halloran",
  product_name: "Angle grinder",
  item_number: "AG 125-14",
  quantity: 1200,
  price_cents: 7650,
  total_cents: 9_180_000,
  address: "Unit 6, Canal Yard\nPort Harrow",
  transaction_id: "pi_3QK2vX9rT4mLhZ0b1c8dYw2N",
  placed_at: new Date("2026-11-20T09:30:00Z"),
  status: "unpaid",
  cancelled_because: "admin",
} as purchases.EmailPurchase;
const purchase = {
  ...site,
  purchase: row,
  holdHours: 168,
  transactionId: "pi_3QK2vX9rT4mLhZ0b1c8dYw2N",
  refundCents: 9_180_000,
  reason: "Two cartons arrived damaged.",
  how: "Bank transfer of November 20.",
};
const user = { ...site, name: "Ingrid Halloran", link: "/new-password?token=abc&x=1" };
const notice = {
  ...site,
  name: "Ingrid Halloran",
  event: "passwordChanged" as const,
  at: row.placed_at,
};

type Typed = { name: string; product: string; address: string };

function orderOf(typed: Typed): orders.OrderShipped {
  const { id, quantity, placed_at } = row;
  const order = { id, number: 10_482, po_number: typed.product, placed_at } as OrderRow;
  const shipment = {
    _id: id,
    number: 1,
    carrier: typed.product,
    trackingNumber: typed.product,
    pieces: new Map([[id, quantity]]),
  };
  return { ...site, order, lines: [bought(typed)], holdHours: purchase.holdHours, shipment };
}

function bought({ name, product, address }: Typed): purchases.EmailPurchase {
  return { ...row, name, product_name: product, po_number: product, address };
}

/** Every email to the owner of an account, with texts that a user could have typed. */
function everyEmail(typed: Typed): [string, Email][] {
  return [
    ...Object.entries(purchases).map(([name, make]): [string, Email] => [
      name,
      make({ ...purchase, purchase: bought(typed) }),
    ]),
    ...Object.entries(orders).map(([name, make]): [string, Email] => [name, make(orderOf(typed))]),
    ["verifyEmail", account.verifyEmail({ ...user, name: typed.name })],
    ["resetPassword", account.resetPassword({ ...user, name: typed.name })],
    ["securityNotice", account.securityNotice({ ...notice, name: typed.name })],
  ];
}

const ordinary = { name: row.name, product: row.product_name, address: row.address };
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.constantFrom(
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "A\r\nBcc: everyone@other.example",
    "\u202egnp.exe",
    "' style='display:none",
  ),
);

/** As the forms allow it: never blank. */
const written = hostile.map((typed) => `A${typed}`);

describe("every email", () => {
  test("there are twenty-one", () => {
    expect(everyEmail(ordinary)).toHaveLength(21);
  });

  test("escapes every input", () => {
    for (const [, email] of everyEmail({
      ...ordinary,
      name: "<script>x",
      product: "<b>\"&'",
      address: "<i>",
    })) {
      expect(email.html).not.toMatch(/<script|<b>|<i>/);
    }
    const { html: page, text } = purchases.purchasePlaced({
      ...purchase,
      purchase: { ...row, product_name: 'Bits <6 mm> & "more"' },
    });
    expect(page).toContain("Bits &lt;6 mm&gt; &amp; &quot;more&quot;");
    expect(text).toContain('Bits <6 mm> & "more"');
  });

  test("keeps its tags, links and subject line for any input", () => {
    const tags = (page: string) => page.match(/<[^>]*>/g)?.length;
    const plain = everyEmail(ordinary);
    fc.assert(
      fc.property(hostile, written, written, (name, product, address) => {
        everyEmail({ name, product, address }).forEach(([template, email], index) => {
          expect(tags(email.html), template).toBe(tags(plain[index]?.[1].html ?? ""));
          expect(email.subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
          for (const [, href] of email.html.matchAll(/href="([^"]*)"/g)) {
            expect(href).toMatch(/^https:\/\/stator\.example\//);
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  test.each(everyEmail(ordinary))("%s has the same text in both parts", (_, email) => {
    expect(email.html).toContain("Hello Ingrid Halloran,");
    expect(email.text).toContain("Hello Ingrid Halloran,");
    expect(email.html).toContain("Harrow Tools &amp; Co, 1 Dock Road, Harrow");
    expect(email.text).toContain(`-- \n${site.sender}\n${publicUrl}/`);
    const links = [...email.html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
      href?.replaceAll("&amp;", "&"),
    );
    for (const link of links) expect(email.text).toContain(link);
    expect(email.text).not.toMatch(/undefined|NaN|\[object/);
    expect(email.html).not.toMatch(/undefined|NaN|\[object/);
  });
});

describe("an email about a purchase", () => {
  test.each(Object.entries(purchases))("%s names the amount and the order in both parts", (_, make) => {
    const email = make(purchase);
    for (const part of [email.html, email.text]) {
      expect(part).toContain("$91,800.00");
      expect(part).toContain("$76.50");
      expect(part).toContain("10482");
      expect(part).toContain("HFO-4471");
      expect(part).toContain("1,200");
      expect(part).toContain("Angle grinder, AG 125-14");
      expect(part).toContain("Unit 6, Canal Yard, Port Harrow");
    }
    expect(email.subject).toContain("1,200 × Angle grinder");
  });

  test("links to the payment of that purchase", () => {
    expect(purchases.purchasePlaced(purchase).text).toContain(`${publicUrl}/dashboard/payment/${row.id}`);
  });

  test("links to the invoice", () => {
    const invoice = `${publicUrl}/orders/${row.id}/invoice.pdf`;
    expect(purchases.purchasePaid(purchase).html).toContain(`<a class="ink" href="${invoice}"`);
    expect(purchases.purchasePaid(purchase).text).toContain(`Invoice (PDF):\n${invoice}`);
  });

  test("says how long an unpaid purchase is kept", () => {
    expect(purchases.purchasePlaced(purchase).text).toContain("for 7 days");
    expect(purchases.purchasePlaced({ ...purchase, holdHours: 0 }).text).toContain("until you pay or cancel");
    expect(purchases.purchaseExpiresSoon(purchase).text).toContain("Nov 27, 2026, 9:30 AM UTC");
  });

  test("contains the transaction id if there is one", () => {
    for (const make of [purchases.purchasePaid, purchases.purchaseShipped, purchases.refundIssued]) {
      expect(make(purchase).html).toContain(purchase.transactionId);
      expect(make(purchase).text).toContain(purchase.transactionId);
    }
  });
});

test("a missing fact is omitted from both parts", () => {
  const email = purchases.refundIssued({ ...purchase, transactionId: "" });
  expect(email.html + email.text).not.toContain("Transaction id");
});

test.each([
  [31, "and 1 more line"],
  [32, "and 2 more lines"],
])("an order of %i lines names thirty of them", (count, rest) => {
  const order = { id: row.id, number: 100_001, po_number: "" } as OrderRow;
  const line = { quantity: 1, product_name: "Drill", price_cents: 100, total_cents: 100 } as PurchaseRow;
  const lines = Array.from({ length: count }, () => ({ ...line, name: "Ingrid", address: "Unit 6" }));
  const { html: page, text } = orders.orderPlaced({ ...site, order, lines, holdHours: 168 });
  expect(text).toContain(`\n${rest}\n`);
  expect(page).toContain(`>${rest}<`);
});

describe("a link in an email", () => {
  test("is on the store's own origin", () => {
    expect(absoluteLink("https://stator.example/", "/login")).toBe("https://stator.example/login");
    expect(absoluteLink("http://127.0.0.1:3000", "http://127.0.0.1:3000/a?b=c")).toBe(
      "http://127.0.0.1:3000/a?b=c",
    );
  });

  test.each(["https://other.example/", "//other.example/x", "javascript:alert(1)", "/\\other.example"])(
    "never leads to %s",
    (path) => {
      expect(() => absoluteLink(publicUrl, path)).toThrow("may only link to https://stator.example");
      expect(() => account.resetPassword({ ...user, link: path })).toThrow();
    },
  );
});

describe("the wording", () => {
  test.each([
    "Win at evil.example",
    "Win at shop24.example",
    "Win at evil。example",
    "https://evil.example",
    "call me@evil.example",
    "x".repeat(61),
    " \n ",
  ])("does not greet %j", (name) => {
    expect(greeting(name)).toBe("Hello,");
  });

  test.each(["Ingrid Halloran", "J. R. O'Neill-Šmíd", "Dr. Ito", "李小龍"])("greets %s", (name) => {
    expect(greeting(name)).toBe(`Hello ${name},`);
  });

  test("cuts a text by its characters, and only if something is left out", () => {
    expect(oneLine("🔧".repeat(40), 60)).toBe("🔧".repeat(40));
    expect(oneLine("🔧".repeat(61), 60)).toBe(`${"🔧".repeat(59)}…`);
  });

  test("formats times and durations", () => {
    expect(formatInstant(new Date("2026-01-02T03:04:05Z"))).toBe("Jan 2, 2026, 3:04 AM UTC");
    expect([1, 5, 24, 36, 48, 168].map(formatDuration)).toEqual([
      "1 hour",
      "5 hours",
      "24 hours",
      "36 hours",
      "2 days",
      "7 days",
    ]);
  });
});

test.each(["/reset-password?token=abc", "http://localhost:3000/reset-password?token=abc"])(
  "a queued email links to the store's current origin: %s",
  async (url) => {
    const job = { mail: "resetPassword", email: "ada@buyers.example", name: "Ada", url } as const;
    const email = await composeEmail({} as Store, site, job);
    expect(email?.text).toContain(`${publicUrl}/reset-password?token=abc`);
  },
);

test("nested markup is unchanged, a text that looks like markup is not", () => {
  expect(html`<p>${html`<b>${"<"}</b>`}${[html`<i>`, html`</i>`]}${3}</p>`.text).toBe(
    "<p><b>&lt;</b><i></i>3</p>",
  );
  const forged = { text: "<script>" } as unknown as string;
  expect(html`${forged}`.text).not.toContain("<script>");
});
