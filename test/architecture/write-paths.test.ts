/** A write can be followed in at most ten files, which the README names in order. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pathOf, type Write } from "./write-paths.ts";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

const writes: [title: string, write: Write][] = [
  [
    "Follow a purchase",
    {
      page: "app/pages/storefront/product/product.tsx",
      call: "placePurchase",
      decides: "shop/orders/place.ts",
    },
  ],
  [
    "Follow a payment",
    {
      page: "app/pages/payment/payment.tsx",
      call: "confirmPayment",
      decides: "shop/payments/mark-paid.ts",
    },
  ],
  [
    "Follow a refund",
    { page: "app/pages/orders/order.tsx", call: "refundPurchase", decides: "shop/refunds/submit.ts" },
  ],
];

test.each(writes)("%s", (title, write) => {
  const path = pathOf(write);
  expect(path.length, `Too many files to open:\n${path.join("\n")}\n`).toBeLessThanOrEqual(10);
  const section = readme.split(`### ${title}\n`)[1]?.split(/^##/m)[0] ?? "";
  const named = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file);
  expect(named, `"${title}" in README.md does not name the files of the path, in its order.`).toEqual(path);
});
