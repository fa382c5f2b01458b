/** A navigation gets a page, never the JSON of a call. */
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type CallName, contract } from "../../api/contract.ts";
import { isSharedAndProtected, pages, pathPattern } from "../../api/pages.ts";
import type { SendPage } from "./pages.ts";

/** Without Fetch Metadata, the Accept header decides. */
export function isNavigation({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET") return false;
  const mode = headers["sec-fetch-mode"];
  return mode === undefined ? (headers.accept ?? "").includes("text/html") : mode === "navigate";
}

/** Redirects a navigation from a call to the page that shows its response, or sends the page of the same path. */
export function redirectToPage(
  name: CallName,
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage: SendPage,
): FastifyReply | Promise<FastifyReply> {
  const page = pages.find(({ calls }) => calls?.includes(name))?.path;
  if (page === undefined || page === contract[name].path) return sendPage(request, reply);
  const { id = "" } = request.params as { id?: string };
  const query = name === "searchCatalogue" ? new URL(request.url, "http://store").search : "";
  reply.header("Cache-Control", "no-store");
  return reply.redirect(page.replace(":id", encodeURIComponent(id)) + query);
}

/** The login page returns to the requested page. */
export function redirectToLogin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(`/login?from=${encodeURIComponent(request.url)}`);
}

const sharedAndProtected = pathPattern(isSharedAndProtected);
const sessionCookie = /(?:^|;\s*)(?:__Host-)?stator\.session_token=/;

/**
 * Whether a protected page is requested without a session cookie. The cookie is not verified here: the HTML of the
 * product page is the same for every visitor and shows what GET /products/{id} returns without a session.
 */
export function needsSession({ url = "", headers }: IncomingMessage): boolean {
  return (
    sharedAndProtected.test(url) &&
    !url.split("?")[0]?.endsWith(".data") &&
    !sessionCookie.test(headers.cookie ?? "")
  );
}
