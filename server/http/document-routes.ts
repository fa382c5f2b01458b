import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { id as idField, numeral } from "../../api/fields.ts";
import { orderId } from "../../api/order-calls.ts";
import {
  findCreditNote,
  findInvoice,
  findOrderConfirmation,
  findPackingSlip,
} from "../../shop/documents/find-documents.ts";
import type { Sheet, SheetRenderer } from "../../shop/documents/sheet.ts";
import { isRefusal, type Refusal } from "../../shop/refusal.ts";
import type { Store, User } from "../../shop/store.ts";
import { orderRefusals } from "../../shop/texts/order-refusals.ts";
import { refusals } from "../../shop/texts/refusals.ts";
import {
  type AuthError,
  authenticateToken,
  lacksSecondFactor,
  sessionInCookie,
  sessionUserOf,
} from "../auth/access.ts";
import { documentRateLimits } from "../auth/rate-limit-rules.ts";
import type { CallDependencies } from "./api-routes.ts";
import { isNavigation, redirectToLogin } from "./navigation.ts";
import {
  problemOfInput,
  problemOfRefusal,
  sendError,
  sendFailure,
  sendProblem,
  sendTooMany,
} from "./problem.ts";
import { ipOf } from "./web.ts";

const paper = z.enum(["a4", "letter"], orderRefusals.badPaper).default("a4");
const number = numeral(z.number(refusals.badId).int(refusals.badId).min(1, refusals.badId)).optional();

interface DocumentInput {
  id: string;
  paper: "a4" | "letter";
  number?: number | undefined;
}

type FindSheet = (
  store: Store,
  id: string,
  viewer: User,
  number: number | undefined,
) => Promise<Sheet | Refusal>;

const documents: { url: string; input: z.ZodType<DocumentInput>; find: FindSheet }[] = [
  {
    url: "/orders/:id/confirmation.pdf",
    input: z.strictObject({ id: orderId, paper }),
    find: findOrderConfirmation,
  },
  {
    url: "/orders/:id/invoice.pdf",
    input: z.strictObject({ id: orderId, paper, number }),
    find: findInvoice,
  },
  {
    url: "/shipments/:id/packing-slip.pdf",
    input: z.strictObject({ id: idField, paper }),
    find: findPackingSlip,
  },
  { url: "/credit-notes/:id.pdf", input: z.strictObject({ id: idField, paper }), find: findCreditNote },
];

export function addDocuments(
  app: FastifyInstance,
  dependencies: CallDependencies & { documents: SheetRenderer },
): void {
  for (const { url, input: schema, find } of documents) {
    app.get(url, async (request, reply) => {
      reply.header("Cache-Control", "no-store");
      const viewer = await viewerOf(request, dependencies);
      if ("status" in viewer) return refuseViewer(viewer, request, reply);
      const input = schema.safeParse({ ...(request.query as object), ...(request.params as object) });
      if (input.error) return sendFailure(reply, problemOfInput(input.error));
      const wait = await dependencies.limits.take(documentRateLimits(viewer, ipOf(request)));
      if (wait !== null) return sendTooMany(reply, wait);
      const { paper, number } = input.data;
      const sheet = await find(dependencies.store, input.data.id, viewer, number);
      if (isRefusal(sheet)) return sendFailure(reply, problemOfRefusal(sheet));
      const pdf = await dependencies.documents.render(sheet, paper);
      if (!pdf) return sendError(reply, "busy");
      return reply
        .header("Content-Disposition", `inline; filename="${sheet.fileName}"`)
        .type("application/pdf")
        .send(Buffer.from(pdf));
    });
  }
}

async function viewerOf(request: FastifyRequest, dependencies: CallDependencies): Promise<User | AuthError> {
  const found = request.headers.authorization
    ? await authenticateToken(request, dependencies.tokens)
    : await sessionUserOf(request, dependencies, sessionInCookie);
  if ("status" in found) return found;
  return lacksSecondFactor(found, dependencies) ? { ...found.user, role: "user" } : found.user;
}

function refuseViewer(refused: AuthError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (refused.status === 401 && isNavigation(request.raw)) return redirectToLogin(request, reply);
  return sendProblem(reply, refused.status, refused.detail);
}
