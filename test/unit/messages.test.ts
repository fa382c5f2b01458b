/** The specification's texts, letter for letter, so that nobody corrects them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { labels, messages } from "../../shop/texts/specification.ts";

const textsIn = (part: object): string[] =>
  Object.values(part).flatMap((text) => (typeof text === "object" ? textsIn(text) : [text]));

test("the messages are those that the specification quotes", () => {
  const { purchase, review, ...others } = messages;
  const { belowMinimum, aboveStock, ...ofPurchase } = purchase;
  // required by section 5, which gives no text for them
  const { ratingRequired, textRequired, ...ofReview } = review;
  const written = [...textsIn({ ofPurchase, ofReview, ...others }), belowMinimum(1240), aboveStock(1240)];
  const specification = readFileSync("docs/specification.md", "utf8").replace(/\{(min|stock)\}/g, "1240");
  const quoted = specification.matchAll(/(?<=[ (])(?:'([^']+)'|"([^"]+)")/g);
  expect(new Set(written)).toEqual(new Set([...quoted].map(([, single, double]) => single ?? double)));
  expect([ratingRequired, textRequired]).toEqual(["Rating is required", "Review is required"]);
});

test("the labels are those of sections 2 and 4", () => {
  expect(labels).toMatchObject({
    menu: {
      blog: "Blog",
      portfolio: "My Portfolio",
      dashboard: "Dashboard",
      signOut: "Sign Out",
      login: "Login",
      profile: "My Profile",
      orders: "My Orders",
      addReview: "Add a Review",
      manageOrders: "Manage All Orders",
      addTool: "Add A Tool",
      manageProducts: "Manage Products",
      makeAdmin: "Make Admin",
    },
    product: { buyNow: "Buy Now", availableInStock: "Available in Stock", minimumOrder: "Minimum Order" },
    login: { continueWithGoogle: "Continue With Google", forgotPassword: "Forgot Password" },
    orders: {
      pay: "Pay",
      cancel: "Cancel Order",
      unpaid: "Unpaid",
      paid: "Paid",
      pending: "Pending",
      shipping: "Shipping",
      shipped: "Shipped",
    },
  });
  expect(labels.counters.map(({ figure, unit }) => `${figure}${unit}`)).toEqual([
    "150+",
    "125M+",
    "33K+",
    "100+",
  ]);
});
