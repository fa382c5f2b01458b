import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OrderRow, PurchaseRow } from "../../database/schema.ts";
import * as account from "../../shop/emails/account-templates.ts";
import { composeEmail } from "../../shop/emails/compose.ts";
import { formatDuration, formatInstant, greeting } from "../../shop/emails/formatting.ts";
import { absoluteLink, type Email, oneLine } from "../../shop/emails/layout.ts";
import { html } from "../../shop/emails/markup.ts";
import * as orders from "../../shop/emails/order-templates.ts";
import * as refunds from "../../shop/emails/refund-templates.ts";
import type { Store } from "../../shop/store.ts";

const publicUrl = "https://stator.example";
const site = {
  publicUrl,
  sender: ["Harrow Tools & Co, 1 Dock Road, Harrow", "orders@harrow.example, 555 0142"],
};

const line: PurchaseRow = {
  id: "0199f0c4-6f1e-7d2a-9a53-1f0e5b1c2d3e",
  order_id: "0199f0c4-6f1e-7d2a-9a53-1f0e5b1c2d30",
  line_number: 1,
  shipped_pieces: 0,
  user_id: "0199f0c4-6f1e-7d2a-9a53-1f0e5b1c2d31",
  product_id: "0199f0c4-6f1e-7d2a-9a53-1f0e5b1c2d32",
  name: "Ingrid Halloran",
  email: "ingrid@buyers.example",
  address: "Unit 6, Canal Yard\nPort Harrow",
  phone: "+1 555 0100",
  product_name: "Angle grinder",
  picture: "/pictures/grinder.jpg",
  item_number: "AG 125-14",
  quantity: 1200,
  price_cents: 7650,
  list_price_cents: 7650,
  total_cents: 9_180_000,
  status: "unpaid",
  transaction_id: "pi_3QK2vX9rT4mLhZ0b1c8dYw2N",
  placed_at: new Date("2026-11-20T09:30:00Z"),
  paid_at: null,
  shipped_at: null,
  cancelled_at: null,
  cancelled_by: null,
  cancelled_because: "admin",
  refunded_cents: 0,
  returned_at: null,
  restock_at: null,
  ship_to_salt: null,
  disputed_at: null,
  reminded_at: null,
  payments_opened: 0,
  paid_mode: null,
};
const order: OrderRow = {
  id: line.order_id,
  number: 10_482,
  user_id: line.user_id,
  po_number: "HFO-4471",
  contact: "",
  note: "",
  placed_at: line.placed_at,
};
const data = {
  ...site,
  order,
  lines: [line],
  isPart: false,
  holdHours: 168,
  invoice: 7,
  shipment: {
    _id: "0199f0c4-6f1e-7d2a-9a53-1f0e5b1c2d33",
    number: 1,
    shippedAt: "2026-11-24T09:30:00Z",
    carrier: "Northway",
    trackingNumber: "1Z 999",
    lines: [{ purchaseId: line.id, quantity: line.quantity }],
  },
  transactionId: "pi_3QK2vX9rT4mLhZ0b1c8dYw2N",
  refundCents: 9_180_000,
  reason: "Two cartons arrived damaged.",
  how: "Bank transfer of November 20.",
};
const drills = { ...line, id: "0199f0c4-6f1e-7d2a-9a53-1f0e5b1c2d3f", line_number: 2, product_name: "Drill" };
const twoLines = { ...data, lines: [line, drills] };
const user = { ...site, name: "Ingrid Halloran", link: "/new-password?token=abc&x=1" };
const notice = { ...site, name: "Ingrid Halloran", event: "passwordChanged" as const, at: line.placed_at };

type Typed = { name: string; product: string; address: string };

/** With the texts that a buyer or an admin could have typed. */
function typedInto(email: typeof data, { name, product, address }: Typed): typeof data {
  return {
    ...email,
    order: { ...order, po_number: product },
    lines: email.lines.map((one) => ({ ...one, name, product_name: product, address })),
    shipment: { ...email.shipment, carrier: product, trackingNumber: product },
    reason: product,
    how: product,
  };
}

/** Every email about an account or an order, with texts that a user could have typed. */
function everyEmail(typed: Typed): [string, Email][] {
  const { name } = typed;
  const ofAccount = {
    verifyEmail: account.verifyEmail({ ...user, name }),
    resetPassword: account.resetPassword({ ...user, name }),
    securityNotice: account.securityNotice({ ...notice, name }),
  } satisfies Record<keyof typeof account, Email>;
  const rendered = (kind: string, templates: typeof orders | typeof refunds, email: typeof data) =>
    Object.entries(templates).map(([template, make]): [string, Email] => [
      `${template} ${kind}`,
      make(typedInto(email, typed)),
    ]);
  return [
    ...Object.entries(ofAccount),
    ...rendered("of one line", { ...orders, ...refunds }, data),
    ...rendered("of two lines", orders, twoLines),
    ...rendered("of a part", orders, { ...data, isPart: true }),
  ];
}

const ordinary = { name: line.name, product: line.product_name, address: line.address };
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
  test("escapes every input", () => {
    for (const [, email] of everyEmail({
      ...ordinary,
      name: "<script>x",
      product: "<b>\"&'",
      address: "<i>",
    })) {
      expect(email.html).not.toMatch(/<script|<b>|<i>/);
    }
    const { html: page, text } = orders.orderPlaced({
      ...data,
      lines: [{ ...line, product_name: 'Bits <6 mm> & "more"' }],
    });
    expect(page).toContain("Bits &lt;6 mm&gt; &amp; &quot;more&quot;");
    expect(text).toContain('Bits <6 mm> & "more"');
  });

  test("keeps its tags, links and subject line for any input", () => {
    const tags = (page: string) => page.match(/<(?!br>)[^>]*>/g)?.length;
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
    expect(email.html).toContain("<br>orders@harrow.example, 555 0142<br>");
    expect(email.text).toContain(`-- \n${site.sender.join("\n")}\n${publicUrl}/`);
    const links = [...email.html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
      href?.replaceAll("&amp;", "&"),
    );
    for (const link of links) expect(email.text).toContain(link);
    expect(email.text).not.toMatch(/undefined|NaN|\[object/);
    expect(email.html).not.toMatch(/undefined|NaN|\[object/);
  });
});

describe("an email about one line", () => {
  test.each(Object.entries({ ...orders, ...refunds }))(
    "%s names the product, the amount and the order in both parts",
    (_, make) => {
      const email = make(data);
      for (const part of [email.html, email.text]) {
        expect(part).toContain("$91,800.00");
        expect(part).toContain("$76.50");
        expect(part).toContain("10482");
        expect(part).toContain("HFO-4471");
        expect(part).toContain("1,200");
        expect(part).toContain("Angle grinder, AG 125-14");
        expect(part).toMatch(/Unit 6, Canal Yard(<br>|\n {2})Port Harrow/);
      }
      expect(email.subject).toContain(": 1,200 × Angle grinder");
      expect(make({ ...data, isPart: true }).subject).toContain(": 1,200 × Angle grinder of order 10482");
    },
  );

  test("is about the pieces of a shipment", () => {
    const lines = [{ purchaseId: line.id, quantity: 100 }];
    const email = orders.orderShipped({ ...data, shipment: { ...data.shipment, lines } });
    expect(email.subject).toBe("Shipped: 100 × Angle grinder, $7,650.00");
    expect(email.text).toContain("Quantity: 100\nPrice: $76.50\nTotal: $7,650.00");
  });
});

describe("an email about two lines", () => {
  test.each(Object.entries(orders))("%s names the order, both products and the amounts", (_, make) => {
    const quantities = [line, drills].map(({ id, quantity }) => ({ purchaseId: id, quantity }));
    const email = make({ ...twoLines, shipment: { ...data.shipment, lines: quantities } });
    for (const part of [email.html, email.text]) {
      expect(part).toContain("10482");
      expect(part).toContain("HFO-4471");
      expect(part).toContain("1,200 × Angle grinder, AG 125-14");
      expect(part).toContain("1,200 × Drill, AG 125-14");
      expect(part).toContain("$91,800.00");
      expect(part).toContain("$183,600.00");
      expect(part).toMatch(/Unit 6, Canal Yard(<br>|\n {2})Port Harrow/);
    }
    expect(email.subject).toMatch(/: 2 lines of order 10482, \$183,600\.00$/);
  });
});

describe("an email about an order", () => {
  const cancelled = { ...data, lines: [{ ...line, cancelled_at: line.placed_at }] };

  test("links to the payment of its only line, or of the order", () => {
    expect(orders.orderPlaced(data).text).toContain(`\n${publicUrl}/dashboard/payment/${line.id}\n`);
    expect(orders.orderPlaced(twoLines).text).toContain(`\n${publicUrl}/dashboard/payment/${order.id}\n`);
  });

  test("links to its page, which a cancelled order of one line has not", () => {
    const page = `See the order:\n${publicUrl}/dashboard/order/${order.id}\n`;
    for (const email of [
      orders.orderPaid(data),
      orders.orderCancelled({ ...cancelled, isPart: true }),
      orders.orderCancelled({ ...cancelled, lines: [...cancelled.lines, drills] }),
    ])
      expect(email.text).toContain(page);
    for (const make of [orders.orderPlaced, orders.orderCancelled, orders.orderExpired]) {
      expect(make(cancelled).text).toContain(`See the tools:\n${publicUrl}/\n`);
      expect(make(cancelled).text).not.toContain("/dashboard/order/");
    }
  });

  test("links to the confirmation of what is left", () => {
    const confirmation = `Order confirmation (PDF):\n${publicUrl}/orders/${order.id}/confirmation.pdf`;
    expect(orders.orderPlaced(data).text).toContain(confirmation);
    expect(orders.orderPlaced(cancelled).text).not.toContain("(PDF)");
  });

  test("links to the invoice of its payment", () => {
    const invoice = `${publicUrl}/orders/${order.id}/invoice.pdf?number=7`;
    expect(orders.orderPaid(data).html).toContain(`<a class="ink" href="${invoice}"`);
    expect(orders.orderPaid(data).text).toContain(`Invoice (PDF):\n${invoice}`);
  });

  test("says how long what is unpaid is kept", () => {
    expect(orders.orderPlaced(data).text).toContain("for 7 days");
    expect(orders.orderPlaced({ ...data, holdHours: 0 }).text).toContain("until you pay or cancel");
    expect(orders.orderExpiresSoon(data).text).toContain("Nov 27, 2026, 9:30 AM UTC");
  });

  test("contains each transaction id", () => {
    for (const make of [orders.orderPaid, orders.orderShipped, refunds.refundIssued]) {
      expect(make(data).html).toContain(data.transactionId);
      expect(make(data).text).toContain(`Transaction id: ${data.transactionId}\n`);
    }
    const paidApart = { ...data, lines: [line, line, { ...drills, transaction_id: "pi_other" }] };
    expect(orders.orderShipped(paidApart).text).toContain(`id: ${data.transactionId}, pi_other\n`);
  });
});

test("a missing fact is omitted from both parts", () => {
  const email = refunds.refundIssued({ ...data, transactionId: "" });
  expect(email.html + email.text).not.toContain("Transaction id");
});

test.each([
  [31, "and 1 more line"],
  [32, "and 2 more lines"],
])("an order of %i lines names thirty of them", (count, rest) => {
  const { html: page, text } = orders.orderPlaced({ ...data, lines: Array(count).fill(line) });
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
