/** What a browser gets that opens an address itself: a page, never the JSON of a call. */
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallName } from "../../api/contract.ts";
import type { SendPage } from "./pages.ts";

/** The page that shows what a GET call answers; a navigation to any other call gets the 404 page. */
const pages: Partial<Record<CallName, string>> = {
  listProducts: "/tools",
  searchCatalogue: "/tools",
  findProduct: "/product/{id}",
  findUser: "/dashboard/profile",
  listPurchasesOf: "/dashboard/orders",
  listPurchases: "/dashboard/manageOrder",
  findPayment: "/dashboard/payment/{id}",
  listUsers: "/dashboard/makeAdmin",
  findOrder: "/dashboard/order/{id}",
  searchOrders: "/dashboard/orders",
  searchProducts: "/dashboard/manageProduct",
  searchUsers: "/dashboard/makeAdmin",
  searchActivity: "/dashboard/activity",
  overview: "/dashboard/overview",
  listMails: "/dashboard/mails",
  listHistory: "/dashboard/history",
  reconcile: "/dashboard/books",
  findAccount: "/dashboard/account",
};

/** Whether a browser asks for a document; without Fetch Metadata, whoever prefers HTML does. */
export function isNavigation({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET") return false;
  const mode = headers["sec-fetch-mode"];
  return mode === undefined ? (headers.accept ?? "").includes("text/html") : mode === "navigate";
}

/** Redirects a navigation from a call to its page. */
export function redirectToPage(
  name: CallName,
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage: SendPage,
): FastifyReply | Promise<FastifyReply> {
  const page = pages[name];
  if (page === undefined) return sendPage(request, reply);
  const { id = "" } = request.params as { id?: string };
  const query = name === "searchCatalogue" ? new URL(request.url, "http://store").search : "";
  reply.header("Cache-Control", "no-store");
  return reply.redirect(page.replace("{id}", encodeURIComponent(id)) + query);
}

const productPage = /^\/product\/[^/?]+\/?(?:$|\?)/i;
const sessionCookie = /(?:^|;\s*)(?:__Host-)?stator\.session_token=/;

/**
 * Whether this is the page of a product without a session cookie: the specification protects it. The page is the same
 * for every signed-in person, and shows what GET /products/{id} tells everybody, so the cookie need not be checked.
 */
export function needsSession({ url = "", headers }: IncomingMessage): boolean {
  return (
    productPage.test(url) &&
    !url.split("?")[0]?.endsWith(".data") &&
    !sessionCookie.test(headers.cookie ?? "")
  );
}
