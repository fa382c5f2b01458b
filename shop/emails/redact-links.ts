/** A link to set a password gives access to the account, so admins see emails of the outbox without its token. */

/** Replaces the secret; no token looks like it. */
const HIDDEN = "hidden";
const SECRET = /([?&](?:amp;)?token=)[^&\s"'<>]+/g;

/** `hides`: whether there were any secrets. */
export function redactSecretLinks<Mail extends { text: string; html: string }>(
  mail: Mail,
): Mail & { hides: boolean } {
  const text = mail.text.replace(SECRET, `$1${HIDDEN}`);
  const html = mail.html.replace(SECRET, `$1${HIDDEN}`);
  return { ...mail, text, html, hides: text !== mail.text || html !== mail.html };
}
