/** A link to set a password gives access to the account, so admins see emails of the outbox without its token. */

/** Replaces the secret; no token looks like it. */
const PLACEHOLDER = "hidden";
const SECRET = /([?&](?:amp;)?token=)[^&\s"'<>]+/g;

export function redactSecretLinks<Email extends { text: string; html: string }>(
  email: Email,
): Email & { hides: boolean } {
  const text = email.text.replace(SECRET, `$1${PLACEHOLDER}`);
  const html = email.html.replace(SECRET, `$1${PLACEHOLDER}`);
  return { ...email, text, html, hides: text !== email.text || html !== email.html };
}
