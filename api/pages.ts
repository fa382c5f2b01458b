/**
 * Router, guards, menus, sitemap, robots.txt, response cache and Content-Security-Policy derive from this table. It is
 * in `api` since app and server read it; the browser gets its parts as virtual modules (vite.config.ts).
 */
import { labels } from "../shop/texts/labels.ts";
import { catalogueQuery } from "./catalogue-calls.ts";
import type { CallName } from "./contract.ts";

export interface Page {
  path: string;
  formerPath?: string;
  file: string;
  access: "public" | "user" | "admin";
  /** The HTML is the same for every visitor and cached. The value lists the query parameters the page reads. */
  cache?: readonly string[];
  sitemap?: boolean;
  resource?: boolean;
  developmentOnly?: boolean;
  label?: string;
  /** the dashboard menus that list the page, in the order of this table */
  menu?: "user" | "admin" | "both";
  /** pages whose menu entry is current while this one is open */
  parents?: readonly string[];
  startsGroup?: boolean;
  /** the loader is too expensive for prefetch on hover */
  prefetch?: "none";
  /** GET calls whose path, opened in a browser, redirects here */
  calls?: readonly CallName[];
  /** hosts the Content-Security-Policy allows in addition (server/http/card-hosts.ts) */
  csp?: "card";
}

export const DASHBOARD = "/dashboard";

export const pages: readonly Page[] = [
  { path: "/", file: "storefront/home/home.tsx", access: "public", cache: [], sitemap: true },
  {
    path: "/tools",
    file: "storefront/catalogue/catalogue.tsx",
    access: "public",
    cache: ["view", ...Object.keys(catalogueQuery.shape)],
    sitemap: true,
    calls: ["listProducts", "searchCatalogue"],
  },
  { path: "/blog", file: "storefront/blog.tsx", access: "public", cache: [], sitemap: true },
  { path: "/portfolio", file: "storefront/portfolio.tsx", access: "public", cache: [], sitemap: true },
  { path: "/contact", file: "storefront/contact.tsx", access: "public", cache: [], sitemap: true },
  { path: "/privacy", file: "storefront/privacy.tsx", access: "public", cache: [], sitemap: true },
  { path: "/terms", file: "storefront/terms.tsx", access: "public", cache: [], sitemap: true },
  { path: "/docs", file: "storefront/api-reference.tsx", access: "public", cache: [] },
  {
    path: "/login",
    file: "auth/login.tsx",
    access: "public",
    cache: ["code", "confirm", "error", "from", "google"],
  },
  { path: "/register", file: "auth/register.tsx", access: "public", cache: ["error", "from"] },
  { path: "/reset-password", file: "auth/reset-password.tsx", access: "public" },
  { path: "/stock-alert/:step", file: "storefront/stock-alert.tsx", access: "public" },
  {
    path: "/product/:id",
    file: "storefront/product/product.tsx",
    access: "user",
    cache: [],
    calls: ["findProduct"],
  },
  // not cached: GET /cart is also a call, whose response is private
  { path: "/cart", file: "cart/cart.tsx", access: "public", calls: ["findCart"] },
  { path: "/checkout", file: "checkout/checkout.tsx", access: "user", cache: [] },

  { path: "/dashboard", file: "dashboard/start.tsx", access: "user" },
  {
    path: "/dashboard/manageOrder",
    file: "admin/orders/manage-order.tsx",
    access: "admin",
    label: labels.menu.manageOrders,
    menu: "admin",
    calls: ["listPurchases", "searchPurchases"],
  },
  {
    path: "/dashboard/pick-list",
    file: "admin/orders/pick-list.tsx",
    access: "admin",
    label: "Pick list",
    parents: ["/dashboard/manageOrder"],
    calls: ["pickList"],
  },
  {
    path: "/dashboard/addProduct",
    file: "admin/products/add-product.tsx",
    access: "admin",
    label: labels.menu.addTool,
    menu: "admin",
  },
  {
    path: "/dashboard/manageProduct",
    file: "admin/products/manage-product.tsx",
    access: "admin",
    label: labels.menu.manageProducts,
    menu: "admin",
    calls: ["searchProducts"],
  },
  {
    path: "/dashboard/import",
    file: "admin/import/import.tsx",
    access: "admin",
    label: "Import tools",
    parents: ["/dashboard/manageProduct"],
    calls: ["listImports"],
  },
  {
    path: "/dashboard/import/:id",
    file: "admin/import/import-result.tsx",
    access: "admin",
    parents: ["/dashboard/manageProduct"],
    calls: ["findImport", "listImportRows"],
  },
  {
    path: "/dashboard/editProduct/:id",
    file: "admin/products/edit-product.tsx",
    access: "admin",
    parents: ["/dashboard/manageProduct"],
  },
  {
    path: "/dashboard/makeAdmin",
    file: "admin/users/make-admin.tsx",
    access: "admin",
    label: labels.menu.makeAdmin,
    menu: "admin",
    calls: ["listUsers", "searchUsers"],
  },
  {
    path: "/dashboard/profile",
    file: "account/profile.tsx",
    access: "user",
    label: labels.menu.profile,
    menu: "both",
    calls: ["findUser"],
  },
  {
    path: "/dashboard/orders",
    file: "orders/orders.tsx",
    access: "user",
    label: labels.menu.orders,
    menu: "user",
    calls: ["listPurchasesOf", "listOrders"],
  },
  {
    path: "/dashboard/lists",
    file: "lists/lists.tsx",
    access: "user",
    label: "Lists",
    menu: "user",
    calls: ["listSavedLists"],
  },
  {
    path: "/dashboard/lists/:id",
    file: "lists/list.tsx",
    access: "user",
    parents: ["/dashboard/lists"],
    calls: ["findSavedList"],
  },
  {
    path: "/dashboard/review",
    file: "review/add-review.tsx",
    access: "user",
    label: labels.menu.addReview,
    menu: "user",
  },
  {
    path: "/dashboard/order/:id",
    file: "orders/order.tsx",
    access: "user",
    parents: ["/dashboard/orders", "/dashboard/manageOrder"],
    calls: ["findOrder", "findOrderDetails"],
  },
  {
    path: "/dashboard/payment/:id",
    file: "payment/payment.tsx",
    access: "user",
    parents: ["/dashboard/orders", "/dashboard/manageOrder"],
    calls: ["findPayment"],
    csp: "card",
  },
  {
    path: "/dashboard/overview",
    file: "admin/reports/overview.tsx",
    access: "admin",
    label: "Overview",
    menu: "admin",
    startsGroup: true,
    calls: ["overview"],
  },
  {
    path: "/dashboard/stock",
    file: "admin/stock/stock.tsx",
    access: "admin",
    label: "Stock",
    menu: "admin",
    calls: ["listStock"],
  },
  {
    path: "/dashboard/stock/:id",
    file: "admin/stock/product-stock.tsx",
    access: "admin",
    parents: ["/dashboard/stock"],
    calls: ["findStock"],
  },
  {
    path: "/dashboard/customers",
    file: "admin/customers/customers.tsx",
    access: "admin",
    label: "Customers",
    menu: "admin",
    calls: ["searchCustomers"],
  },
  {
    path: "/dashboard/customers/:id",
    file: "admin/customers/customer.tsx",
    access: "admin",
    parents: ["/dashboard/customers"],
    calls: ["findCustomer"],
  },
  {
    path: "/dashboard/reviews",
    file: "admin/reviews/manage-reviews.tsx",
    access: "admin",
    label: "Reviews",
    menu: "admin",
  },
  {
    path: "/dashboard/synonyms",
    file: "admin/search/synonyms.tsx",
    access: "admin",
    label: "Synonyms",
    menu: "admin",
  },
  {
    path: "/dashboard/audit-log",
    formerPath: "/dashboard/history",
    file: "admin/audit-log/audit-log.tsx",
    access: "admin",
    label: "Audit log",
    menu: "admin",
    startsGroup: true,
    calls: ["listHistory"],
  },
  {
    path: "/dashboard/reconciliation",
    formerPath: "/dashboard/books",
    file: "admin/reconciliation/reconciliation.tsx",
    access: "admin",
    label: "Reconciliation",
    menu: "admin",
    prefetch: "none",
    calls: ["reconcile"],
  },
  {
    path: "/dashboard/activity",
    file: "admin/audit-log/activity.tsx",
    access: "admin",
    label: "Activity",
    menu: "admin",
    calls: ["searchActivity"],
  },
  {
    path: "/dashboard/emails",
    formerPath: "/dashboard/mails",
    file: "admin/emails/emails.tsx",
    access: "admin",
    label: "Emails",
    menu: "admin",
    calls: ["listEmails"],
  },
  {
    path: "/dashboard/account",
    file: "account/account.tsx",
    access: "user",
    label: "Account",
    parents: ["/dashboard/profile"],
    calls: ["findAccount"],
  },

  { path: "/ui", file: "design-system/design-system.tsx", access: "public", developmentOnly: true },
  { path: "*", file: "storefront/not-found.tsx", access: "public" },
  { path: "/robots.txt", file: "robots.ts", access: "public", cache: [], resource: true },
  { path: "/sitemap.xml", file: "sitemap.ts", access: "public", cache: [], resource: true },
];

export function isBelowDashboard({ path }: Page): boolean {
  return path === DASHBOARD || path.startsWith(`${DASHBOARD}/`);
}

/** Whether a page needs a session although its HTML is cached: the cookie is checked, and the browser guards it. */
export function isSharedAndProtected({ access, cache }: Page): boolean {
  return access !== "public" && cache !== undefined;
}

/** Matches the paths of the selected pages, with or without a query, regardless of case, as in the router. */
export function pathPattern(matches: (page: Page) => boolean): RegExp {
  const paths = pages.filter(matches).map(({ path }) => path.replace(/:\w+/g, "[^/?#]+"));
  // short, since it is part of public scripts
  const common = paths.every((path) => path.startsWith(`${DASHBOARD}/`)) ? `${DASHBOARD}/` : "/";
  const rest = paths.map((path) => path.slice(common.length));
  return new RegExp(`^${common}(${rest.join("|")})/?([?#]|$)`, "i");
}
