/** Every address of the store, in the order of the specification's route table; our own additions stand after it. */
import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

const developing = process.env.NODE_ENV === "development";

export default [
  layout("page-boundary.tsx", [
    index("pages/home.tsx"),
    route("blog", "pages/blog.tsx"),
    route("portfolio", "pages/portfolio.tsx"),
    route("login", "pages/login.tsx"),
    route("register", "pages/register.tsx"),
    route("product/:id", "pages/product.tsx"),
    route("dashboard", "pages/dashboard/layout.tsx", [
      index("pages/dashboard/start.tsx"),
      route("profile", "pages/dashboard/profile.tsx"),
      route("orders", "pages/dashboard/orders.tsx"),
      route("review", "pages/dashboard/review.tsx"),
      route("payment/:id", "pages/dashboard/payment.tsx"),
      route("", "pages/admin/layout.tsx", [
        route("manageOrder", "pages/admin/manage-order.tsx"),
        route("addProduct", "pages/admin/add-product.tsx"),
        route("manageProduct", "pages/admin/manage-product.tsx"),
        route("makeAdmin", "pages/admin/make-admin.tsx"),
        route("editProduct/:id", "pages/admin/edit-product.tsx"),
        route("overview", "pages/admin/overview.tsx"),
        route("mails", "pages/admin/mails.tsx"),
        route("reviews", "pages/admin/reviews.tsx"),
        route("history", "pages/admin/history.tsx"),
        route("synonyms", "pages/admin/synonyms.tsx"),
        route("books", "pages/admin/books.tsx"),
        route("activity", "pages/admin/activity.tsx"),
      ]),
      route("order/:id", "pages/dashboard/order.tsx"),
      route("account", "pages/dashboard/account.tsx"),
    ]),

    route("tools", "pages/tools.tsx"),
    route("privacy", "pages/privacy.tsx"),
    route("terms", "pages/terms.tsx"),
    route("contact", "pages/contact.tsx"),
    route("docs", "pages/docs.tsx"),
    route("stock-alert/:step", "pages/stock-alert.tsx"),
    route("reset-password", "pages/reset-password.tsx"),
    ...(developing ? [route("ui", "pages/ui.tsx")] : []),
    route("*", "pages/not-found.tsx"),
  ]),
  route("robots.txt", "pages/robots.ts"),
  route("sitemap.xml", "pages/sitemap.ts"),
] satisfies RouteConfig;
