/** Every address of the store, in the order of the specification's route table; our own additions stand after it. */
import { basename } from "node:path";
import { index, layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";

const developing = process.env.NODE_ENV === "development";

/** The name of the file as id, not its path: the browser is sent every id with the first page. */
const withShortIds = (routes: RouteConfigEntry[]): RouteConfigEntry[] =>
  routes.map((one) => ({
    ...one,
    id: basename(one.file).replace(/\.tsx?$/, ""),
    ...(one.children && { children: withShortIds(one.children) }),
  }));

export default withShortIds([
  layout("page-boundary.tsx", [
    index("pages/storefront/home/home.tsx"),
    route("blog", "pages/storefront/blog.tsx"),
    route("portfolio", "pages/storefront/portfolio.tsx"),
    route("login", "pages/auth/login.tsx"),
    route("register", "pages/auth/register.tsx"),
    route("product/:id", "pages/storefront/product/product.tsx"),
    route("dashboard", "pages/dashboard/dashboard-layout.tsx", [
      index("pages/dashboard/start.tsx"),
      route("profile", "pages/account/profile.tsx"),
      route("orders", "pages/orders/orders.tsx"),
      route("review", "pages/review/add-review.tsx"),
      route("payment/:id", "pages/payment/payment.tsx"),
      route("", "pages/admin/admin-layout.tsx", [
        route("manageOrder", "pages/admin/orders/manage-order.tsx"),
        route("addProduct", "pages/admin/products/add-product.tsx"),
        route("manageProduct", "pages/admin/products/manage-product.tsx"),
        route("makeAdmin", "pages/admin/users/make-admin.tsx"),
        route("editProduct/:id", "pages/admin/products/edit-product.tsx"),
        route("overview", "pages/admin/reports/overview.tsx"),
        route("mails", "pages/admin/emails/emails.tsx"),
        route("reviews", "pages/admin/reviews/manage-reviews.tsx"),
        route("history", "pages/admin/audit-log/audit-log.tsx"),
        route("synonyms", "pages/admin/search/synonyms.tsx"),
        route("books", "pages/admin/reconciliation/reconciliation.tsx"),
        route("activity", "pages/admin/audit-log/activity.tsx"),
      ]),
      route("order/:id", "pages/orders/order.tsx"),
      route("account", "pages/account/account.tsx"),
    ]),

    route("tools", "pages/storefront/catalogue/catalogue.tsx"),
    route("privacy", "pages/storefront/privacy.tsx"),
    route("terms", "pages/storefront/terms.tsx"),
    route("contact", "pages/storefront/contact.tsx"),
    route("docs", "pages/storefront/api-reference.tsx"),
    route("stock-alert/:step", "pages/storefront/stock-alert.tsx"),
    route("reset-password", "pages/auth/reset-password.tsx"),
    ...(developing ? [route("ui", "pages/design-system/design-system.tsx")] : []),
    route("*", "pages/storefront/not-found.tsx"),
  ]),
  route("robots.txt", "pages/robots.ts"),
  route("sitemap.xml", "pages/sitemap.ts"),
]) satisfies RouteConfig;
