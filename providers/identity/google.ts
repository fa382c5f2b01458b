/** OpenID discovery at the first sign-in, not at the start: the store also opens while Google cannot be reached. */
import type { AuthContext } from "better-auth";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { z } from "zod";
import { MAX_EMAIL_LENGTH } from "../../api/fields.ts";
import { withTimeout } from "../with-timeout.ts";
import { MAX_NAME_LENGTH } from "./before-hooks.ts";

export interface GoogleClient {
  clientId: string;
  clientSecret: string;
  /** exactly as in its discovery document */
  issuer: string;
}

export const timeouts = { longestMs: 5000 };
const PROVIDER = "google";

/** Registers Google with the library; returns whether that succeeded. State, nonce and PKCE are the library's. */
export function openGoogle(client: GoogleClient): (context: AuthContext) => Promise<boolean> {
  let registering: Promise<boolean> | undefined;
  return (context) => {
    if (context.socialProviders.some(({ id }) => id === PROVIDER)) return Promise.resolve(true);
    registering ??= discover(client, context).finally(() => {
      registering = undefined;
    });
    return registering;
  };
}

/** What the library uses of the discovery document without checking it. */
const discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

const tokens = z.object({ idToken: z.string(), accessToken: z.string().optional() });

/** The text comes from Google; the limits are those of the store's own forms. */
const userInfo = z.object({
  email: z.email().max(MAX_EMAIL_LENGTH),
  emailVerified: z.boolean().catch(false),
  name: z
    .string()
    .catch("")
    .transform((name) =>
      name
        .toWellFormed()
        .replace(/\p{Cc}/gu, " ")
        .slice(0, MAX_NAME_LENGTH),
    ),
});

async function discover(client: GoogleClient, context: AuthContext): Promise<boolean> {
  try {
    return await registerProvider(client, context);
  } catch (error) {
    context.logger.error(`Discovery fetch failed for "${PROVIDER}": ${reasonOf(error)}`);
    return false;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `unexpected document, ${error.issues[0]?.path.join(".")}`;
  return error instanceof Error ? error.message : String(error);
}

async function registerProvider({ clientId, clientSecret, issuer }: GoogleClient, context: AuthContext) {
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
  const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(timeouts.longestMs) });
  discovery.parse(await response.json());
  const plugin = genericOAuth({
    config: [
      {
        providerId: PROVIDER,
        discoveryUrl,
        clientId,
        clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        prompt: "select_account",
        // always verify signature, issuer, audience, expiry and nonce of the identity token
        requireIdTokenVerification: true,
      },
    ],
  });
  const found = await withTimeouts(plugin.init(context));
  const provider = found?.context.socialProviders.find(({ id }) => id === PROVIDER);
  // a document of another issuer
  if (provider?.issuer !== issuer) return false;
  context.socialProviders.push(withChecks(provider, context.logger));
  return true;
}

type Provider = AuthContext["socialProviders"][number];

/** Adds a timeout and validates responses, which the library does not. */
function withChecks(provider: Provider, logger: AuthContext["logger"]): Provider {
  return {
    ...provider,
    validateAuthorizationCode: async (data) => {
      const { idToken, accessToken } = tokens.parse(
        await withTimeouts(provider.validateAuthorizationCode(data)),
      );
      return { idToken, ...(accessToken !== undefined && { accessToken }) };
    },
    getUserInfo: async (token) => {
      const found = await withTimeouts(provider.getUserInfo(token)).catch((error) => {
        logger.error(`Provider "${PROVIDER}": ${reasonOf(error)}`);
        return null;
      });
      const { data } = userInfo.safeParse(found?.user);
      return found && data ? { user: { ...found.user, ...data, image: undefined }, data: found.data } : null;
    },
  };
}

const withTimeouts = <T>(request: Promise<T>): Promise<T> =>
  withTimeout(request, timeouts.longestMs, () => new Error("Google did not respond in time."));
