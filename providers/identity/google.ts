/**
 * Google, found through OpenID discovery. It is asked at the first sign-in and not at the start: a store opens
 * also while Google cannot be reached, and finds it as soon as it can.
 */
import type { AuthContext } from "better-auth";
import { genericOAuth } from "better-auth/plugins";

export interface GoogleClient {
  clientId: string;
  clientSecret: string;
  /** exactly as its discovery document names itself */
  issuer: string;
}

const PATIENCE_MS = 5000;
const PROVIDER = "google";

/** Makes Google known to the library; the answer tells whether it is. State, nonce and PKCE are the library's. */
export function openGoogle(client: GoogleClient): (context: AuthContext) => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return (context) => {
    if (context.socialProviders.some(({ id }) => id === PROVIDER)) return Promise.resolve(true);
    asking ??= discover(client, context).finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

async function discover({ clientId, clientSecret, issuer }: GoogleClient, context: AuthContext) {
  const plugin = genericOAuth({
    config: [
      {
        providerId: PROVIDER,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        prompt: "select_account",
        // signature, issuer, audience, expiry and nonce of the identity token, always
        requireIdTokenVerification: true,
      },
    ],
  });
  const found = await Promise.race([plugin.init(context), afterPatience()]);
  const provider = found?.context.socialProviders.find(({ id }) => id === PROVIDER);
  // somebody else's document, or one for another address, is not Google's
  if (provider?.issuer !== issuer) return false;
  context.socialProviders.push(provider);
  return true;
}

function afterPatience(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref());
}
