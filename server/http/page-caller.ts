import type { FastifyRequest } from "fastify";
import { timeZone } from "../../api/admin-calls.ts";
import type { Caller } from "../../app/data/loader-context.ts";
import { unavailabilityOf } from "../../database/unavailability.ts";
import type { SessionUser } from "../../shop/accounts/session-user.ts";
import { lacksSecondFactor, sessionInCookie, userOfSession } from "../auth/access.ts";
import { localeIn } from "./accept-language.ts";
import { type CallDependencies, callFromLoader } from "./api-routes.ts";

export interface FoundCaller {
  /** null without a session; undefined if the database does not respond */
  caller: Caller | null | undefined;
  cookies: string[];
}

export async function findPageCaller(
  request: FastifyRequest,
  dependencies: CallDependencies,
): Promise<FoundCaller> {
  try {
    const session = await sessionInCookie(request, dependencies);
    const bearer = "status" in session ? null : await userOfSession(session, dependencies);
    if (!bearer || "status" in session) return { caller: null, cookies: [] };
    return { caller: toCaller(bearer, request, dependencies), cookies: session.renewedCookies };
  } catch (error) {
    if (!unavailabilityOf(error)) throw error;
    return { caller: undefined, cookies: [] };
  }
}

function toCaller(bearer: SessionUser, request: FastifyRequest, dependencies: CallDependencies): Caller {
  const { user } = bearer;
  return {
    email: user.email,
    isAdmin: user.role === "admin" && !lacksSecondFactor(bearer, dependencies),
    zone: zoneIn(request.headers.cookie),
    locale: localeIn(request.headers["accept-language"]),
    call: (name, input) => callFromLoader(name, input, { bearer, dependencies, request }),
  };
}

function zoneIn(cookies = ""): string {
  const zoneName = /(?:^|; )stator\.zone=([\w%+-]{1,100})/.exec(cookies)?.[1] ?? "UTC";
  try {
    // such as "+05:30", which a browser may report and the calls do not take
    return timeZone.parse(decodeURIComponent(zoneName));
  } catch {
    return "UTC";
  }
}
