/** Every screen of the store and its states, in the order of the specification's route table. */
import type { Page } from "playwright-core";
import { settled } from "../harness/browser.ts";

export type Who = "visitor" | "buyer" | "newcomer" | "admin";

export interface Screen {
  /** names the picture files */
  name: string;
  title: string;
  who: Who;
  /** its path; an upper-case word is replaced by the id of that thing */
  path: string;
  /** brings it into its state */
  act?: (page: Page) => Promise<unknown>;
  /** on a phone only */
  phoneOnly?: boolean;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

/** Types a card and presses Pay. */
async function pay(page: Page, number: string): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel(/^Expiry date/).fill("12 / 34");
  await page.getByLabel(/^Security code/).fill("123");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

const visitors: Screen[] = [
  { name: "home", title: "Home", who: "visitor", path: "/" },
  {
    name: "home-menu",
    title: "Home, the menu of a phone",
    who: "visitor",
    path: "/",
    act: (page) => page.locator("summary[aria-label=Menu]").click(),
    phoneOnly: true,
  },
  { name: "tools", title: "All tools, as a list", who: "visitor", path: "/tools" },
  {
    name: "tools-compact",
    title: "All tools, compact",
    who: "visitor",
    path: "/tools",
    act: async (page) => {
      const compact = page.getByRole("button", { name: "Compact" });
      if (await compact.isVisible()) await compact.click();
    },
  },
  { name: "tools-grid", title: "All tools, as a grid", who: "visitor", path: "/tools?view=grid" },
  {
    name: "tools-filters",
    title: "All tools, the filters of a phone",
    who: "visitor",
    path: "/tools?power=Battery",
    act: press(/^Filters/),
    phoneOnly: true,
  },
  {
    name: "tools-add",
    title: "All tools, added to the cart",
    who: "visitor",
    path: "/tools",
    act: async (page) => {
      await settled(page);
      const fields = page.getByRole("textbox", { name: /^Quantity/ });
      await fields.nth(0).fill("200");
      await fields.nth(0).press("Enter");
      await page.getByText("200 in cart").waitFor();
      const wrench = page.getByRole("textbox", { name: "Quantity, Impact wrench" });
      await wrench.fill("32");
      await wrench.press("Enter");
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "tools-none", title: "All tools, nothing found", who: "visitor", path: "/tools?q=hovercraft" },
  { name: "blog", title: "Blog", who: "visitor", path: "/blog" },
  { name: "portfolio", title: "My Portfolio", who: "visitor", path: "/portfolio" },
  { name: "login", title: "Login", who: "visitor", path: "/login" },
  {
    name: "login-missing",
    title: "Login, nothing filled in",
    who: "visitor",
    path: "/login",
    act: press("Login"),
  },
  {
    name: "login-toast",
    title: "Login, Forgot Password without an email",
    who: "visitor",
    path: "/login",
    act: press("Forgot Password"),
  },
  {
    name: "login-refused",
    title: "Login, refused",
    who: "visitor",
    path: "/login",
    act: async (page) => {
      await page.getByLabel("Email").fill("ingrid@halloran.example");
      await page.getByLabel("Password").fill("not the one");
      await page.getByRole("button", { name: "Login" }).click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  { name: "register", title: "Register", who: "visitor", path: "/register" },
  {
    name: "register-missing",
    title: "Register, nothing filled in",
    who: "visitor",
    path: "/register",
    act: press("Register"),
  },
  {
    name: "reset-password",
    title: "A new password",
    who: "visitor",
    path: "/reset-password?token=of-the-email",
  },
  {
    name: "reset-password-dead",
    title: "A password link that is no longer valid",
    who: "visitor",
    path: "/reset-password?error=INVALID_TOKEN",
  },
  { name: "not-found", title: "Any other path (404)", who: "visitor", path: "/nowhere" },
  {
    name: "lost",
    title: "A page that could not be loaded",
    who: "visitor",
    path: "/",
    act: async (page) => {
      await page.route(/tools\.data/, (route) => route.abort());
      await page.getByRole("link", { name: "Get Started" }).click();
      await page.getByRole("button", { name: "Try again" }).waitFor();
    },
  },
  { name: "docs", title: "The API", who: "visitor", path: "/docs" },
];

const buyers: Screen[] = [
  { name: "product", title: "A tool and its purchase order", who: "buyer", path: "/product/TOOL" },
  {
    name: "product-below",
    title: "A tool, less than the minimum",
    who: "buyer",
    path: "/product/TOOL",
    act: (page) => page.getByRole("spinbutton", { name: "Quantity" }).fill("1"),
  },
  { name: "profile", title: "My Profile", who: "buyer", path: "/dashboard/profile" },
  { name: "orders", title: "My Orders", who: "buyer", path: "/dashboard/orders" },
  {
    name: "orders-open",
    title: "My Orders, the lines of an order",
    who: "buyer",
    path: "/dashboard/orders",
    act: async (page) => {
      const rows = page.getByRole("button", { name: /^Lines of order/ });
      await rows.last().click();
      await page.getByRole("link", { name: /^Invoice/ }).waitFor();
    },
  },
  {
    name: "orders-none",
    title: "My Orders, none found",
    who: "buyer",
    path: "/dashboard/orders?q=hovercraft",
  },
  { name: "orders-empty", title: "My Orders, none yet", who: "newcomer", path: "/dashboard/orders" },
  {
    name: "orders-cancel",
    title: "My Orders, before an order is cancelled",
    who: "buyer",
    path: "/dashboard/orders",
    act: press(/^Cancel Order/),
  },
  { name: "order", title: "An order and its timeline", who: "buyer", path: "/dashboard/order/SHIPPED" },
  {
    name: "order-lines",
    title: "An order of several lines, partly shipped",
    who: "buyer",
    path: "/dashboard/order/PARTLY",
  },
  {
    name: "order-lines-unpaid",
    title: "An order of several lines, unpaid",
    who: "buyer",
    path: "/dashboard/order/LINES",
  },
  {
    name: "payment-orders",
    title: "Payment of two orders",
    who: "buyer",
    path: "/dashboard/orders",
    act: async (page) => {
      await page.getByRole("link", { name: "Pay 2 orders" }).click();
      await page.getByRole("heading", { name: "2 orders" }).waitFor();
    },
  },
  {
    name: "payment-lines",
    title: "Payment of several lines",
    who: "buyer",
    path: "/dashboard/payment/LINES",
  },
  { name: "cart", title: "The cart", who: "buyer", path: "/cart" },
  { name: "cart-empty", title: "The cart, empty", who: "newcomer", path: "/cart" },
  {
    name: "cart-paste",
    title: "The cart, rows pasted",
    who: "newcomer",
    path: "/cart",
    act: async (page) => {
      await page.getByRole("combobox", { name: "Item number or name, new line" }).focus();
      await page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "DD 18-60\t200\nHD 850-2\t32\nIW-18-420\t30\nRO 150-8\t24");
        const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(event);
      });
      await page
        .getByText(/rows pasted/)
        .first()
        .waitFor();
    },
  },
  { name: "checkout", title: "Checkout of the cart", who: "buyer", path: "/checkout" },
  { name: "lists", title: "Saved lists", who: "buyer", path: "/dashboard/lists" },
  { name: "lists-empty", title: "Saved lists, none yet", who: "newcomer", path: "/dashboard/lists" },
  { name: "list", title: "A saved list", who: "buyer", path: "/dashboard/lists/LIST" },
  { name: "review", title: "Add a Review", who: "buyer", path: "/dashboard/review" },
  {
    name: "review-above",
    title: "Add a Review, more than five stars",
    who: "buyer",
    path: "/dashboard/review",
    act: (page) => page.getByLabel("Rating").fill("6"),
  },
  { name: "payment", title: "Payment", who: "buyer", path: "/dashboard/payment/UNPAID" },
  {
    name: "payment-declined",
    title: "Payment, the card is declined",
    who: "buyer",
    path: "/dashboard/payment/UNPAID",
    act: (page) => pay(page, "4000 0000 0000 0002"),
  },
  { name: "payment-done", title: "Payment, done", who: "buyer", path: "/dashboard/payment/PAID" },
  { name: "account", title: "Account", who: "buyer", path: "/dashboard/account" },
];

const admins: Screen[] = [
  { name: "overview", title: "Overview", who: "admin", path: "/dashboard/overview" },
  { name: "manage-order", title: "Manage All Orders", who: "admin", path: "/dashboard/manageOrder" },
  {
    name: "manage-order-bulk",
    title: "Manage All Orders, before several orders are shipped",
    who: "admin",
    path: "/dashboard/manageOrder?status=paid&age=1",
    act: async (page) => {
      await settled(page);
      for (const row of [0, 1, 2]) await page.locator("[data-select]").nth(row).click();
      await page.getByRole("button", { name: /^Ship \d orders/ }).click();
      await page
        .getByRole("textbox", { name: /^Carrier/ })
        .first()
        .fill("Kestrel Freight");
      await page.getByRole("button", { name: "First carrier for all" }).click();
    },
  },
  {
    name: "order-admin",
    title: "An order, as an admin",
    who: "admin",
    path: "/dashboard/order/PAID",
  },
  {
    name: "order-refund",
    title: "An order, before money goes back",
    who: "admin",
    path: "/dashboard/order/PAID",
    act: press(/^Refund/),
  },
  { name: "add-product", title: "Add A Tool", who: "admin", path: "/dashboard/addProduct" },
  {
    name: "add-product-missing",
    title: "Add A Tool, nothing filled in",
    who: "admin",
    path: "/dashboard/addProduct",
    act: press("Add Product"),
  },
  { name: "manage-product", title: "Manage Products", who: "admin", path: "/dashboard/manageProduct" },
  {
    name: "manage-product-delete",
    title: "Manage Products, before a tool is deleted",
    who: "admin",
    path: "/dashboard/manageProduct",
    act: press(/^Delete/),
  },
  { name: "edit-product", title: "A tool's own form", who: "admin", path: "/dashboard/editProduct/TOOL" },
  { name: "customers", title: "Customers", who: "admin", path: "/dashboard/customers?sort=revenue" },
  {
    name: "customer",
    title: "A customer",
    who: "admin",
    path: "/dashboard/customers?sort=revenue",
    act: async (page) => {
      await settled(page);
      await page.locator(".tbl--customers .row-link").first().click();
      const typed = page.getByLabel("New note");
      await typed.waitFor();
      const note = page.getByRole("button", { name: /^Delete the note/ });
      // kept from the picture in another width
      if ((await note.count()) > 0) return;
      await typed.fill("Dock 2 closes at 3 PM on Fridays.");
      await page.getByRole("button", { name: "Add note" }).click();
      await note.waitFor();
    },
  },
  { name: "make-admin", title: "Make Admin", who: "admin", path: "/dashboard/makeAdmin" },
  {
    name: "make-admin-close",
    title: "Make Admin, before an account is closed",
    who: "admin",
    path: "/dashboard/makeAdmin",
    act: press(/^Close account/),
  },
  { name: "reviews", title: "Reviews", who: "admin", path: "/dashboard/reviews" },
  { name: "audit-log", title: "Audit log", who: "admin", path: "/dashboard/audit-log" },
  { name: "reconciliation", title: "Reconciliation", who: "admin", path: "/dashboard/reconciliation" },
  { name: "activity", title: "Activity", who: "admin", path: "/dashboard/activity" },
  {
    name: "palette",
    title: "The palette of an admin",
    who: "admin",
    path: "/dashboard/overview",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("saw");
    },
  },
  {
    name: "emails",
    title: "The emails of a store without an SMTP server",
    who: "admin",
    path: "/dashboard/emails",
  },
];

export const screens: readonly Screen[] = [...visitors, ...buyers, ...admins];
