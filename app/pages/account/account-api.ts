/** The identity library's paths for a signed-in account. */
import { type IdentityResponse, identityRequest } from "../../data/identity-request.ts";

/** Ends all other sessions; this one continues under a new id. */
export function changePassword(currentPassword: string, newPassword: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/change-password", {
    currentPassword,
    newPassword,
    revokeOtherSessions: true,
  });
}

/** Sends a link to the new address; the change takes effect when the link is opened. */
export function changeEmail(newEmail: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/change-email", { newEmail });
}

export async function connectGoogle(): Promise<IdentityResponse> {
  const back = "/dashboard/account";
  const outcome = await identityRequest<{ url?: string }>("POST", "/api/auth/link-social", {
    provider: "google",
    callbackURL: back,
    errorCallbackURL: back,
  });
  if (outcome.ok && outcome.url) window.location.assign(outcome.url);
  return outcome;
}

/** Creates the secret for the authenticator app, and recovery codes; takes effect with the first code. */
export function enableTwoFactor(
  password: string,
): Promise<IdentityResponse<{ totpURI: string; backupCodes: string[] }>> {
  return identityRequest("POST", "/api/auth/two-factor/enable", { password });
}

/** Verifies a code: enables two-factor authentication, or confirms it for this session. */
export function submitCode(code: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/two-factor/verify-totp", { code: code.replace(/\s/g, "") });
}

export function disableTwoFactor(password: string): Promise<IdentityResponse> {
  return identityRequest("POST", "/api/auth/two-factor/disable", { password });
}
