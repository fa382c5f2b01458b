/**
 * Whoever holds a link to set a password holds the account. Kept mails are therefore shown to admins without what
 * makes such a link work; in the file of the mail, which whoever runs the machine can read, it stands.
 */

/** What is put in place of the secret; no token looks like it. */
const HIDDEN = "hidden";
const SECRET = /([?&](?:amp;)?token=)[^&\s"'<>]+/g;

/** The mail with the secrets of its links left out; `hides` tells whether there were any. */
export function redactSecretLinks<Mail extends { text: string; html: string }>(
  mail: Mail,
): Mail & { hides: boolean } {
  const text = mail.text.replace(SECRET, `$1${HIDDEN}`);
  const html = mail.html.replace(SECRET, `$1${HIDDEN}`);
  return { ...mail, text, html, hides: text !== mail.text || html !== mail.html };
}
