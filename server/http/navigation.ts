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

export function redirectToLogin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.redirect(`/login?from=${encodeURIComponent(request.url)}`);
}

const sharedAndProtected = pathPattern(isSharedAndProtected);
const sessionCookie = /(?:^|;\s*)(?:__Host-)?stator\.session_token=/;

/** The cookie is not verified: the HTML is the same for every visitor and shows what a public call returns. */
export function needsSession({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">): boolean {
  return (
    sharedAndProtected.test(url) &&
    !url.split("?")[0]?.endsWith(".data") &&
    !sessionCookie.test(headers.cookie ?? "")
  );
}
