/**
 * The library's paths that the store uses. Everything else that the library could answer (its own sessions, tokens of
 * Google, other ways to prove a password) is refused: it has no limits, no record and no page.
 */
const used = new Set([
  "/callback/google",
  "/change-email",
  "/change-password",
  "/get-session",
  "/link-social",
  "/passkey/delete-passkey",
  "/passkey/generate-authenticate-options",
  "/passkey/generate-register-options",
  "/passkey/update-passkey",
  "/passkey/verify-authentication",
  "/passkey/verify-registration",
  "/request-password-reset",
  "/reset-password",
  "/send-verification-email",
  "/sign-in/email",
  "/sign-in/social",
  "/sign-out",
  "/sign-up/email",
  "/two-factor/disable",
  "/two-factor/enable",
  "/two-factor/verify-backup-code",
  "/two-factor/verify-totp",
  "/unlink-account",
  "/update-user",
  "/verify-email",
]);

/** Whether the store uses this path of the library, below /api/auth. */
export function isUsedPath(path: string): boolean {
  return used.has(path);
}
