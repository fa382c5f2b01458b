/** The identity provider's own paths about an account that is signed in. */
import { type IdentityResponse, identityRequest } from "../../data/identity-request.ts";

/** Ends every other session; the page's own goes on under a new one. */
export function changePassword(currentPassword: string, newPassword: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/change-password", {
    currentPassword,
    newPassword,
    revokeOtherSessions: true,
  });
}

/** Sends a link to the new address; the address counts once the link is opened. */
export function changeEmail(newEmail: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/change-email", { newEmail });
}

/** Sends the browser to Google, and back to the account's page. */
export async function connectGoogle(): Promise<IdentityResponse> {
  const back = "/dashboard/account";
  const answer = await identityRequest<{ url?: string }>("POST", "/api/auth/link-social", {
    provider: "google",
    callbackURL: back,
    errorCallbackURL: back,
  });
  if (answer.ok && answer.url) window.location.assign(answer.url);
  return answer;
}

/** Makes the secret for the person's app, and recovery codes; it counts once a code of the app was given. */
export function enableTwoFactor(
  password: string,
): Promise<IdentityResponse<{ totpURI: string; backupCodes: string[] }>> {
  return identityRequest("POST", "/api/auth/two-factor/enable", { password });
}

/** Gives a code of the app: switches the second factor on, or proves it for this session. */
export function submitCode(code: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/two-factor/verify-totp", { code: code.replace(/\s/g, "") });
}

export function disableTwoFactor(password: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/two-factor/disable", { password });
}
