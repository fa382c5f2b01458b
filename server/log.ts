/**
 * The log must not identify anyone. Tokens, passwords, cookies, cards and email addresses are not logged at any
 * level: requests are logged by method and path, errors by their message, both redacted.
 */
import pino from "pino";

export function openLog(level: string, to: pino.DestinationStream): pino.Logger {
  return pino(
    { level, serializers: { req: serializeRequest, res: serializeReply, err: serializeError } },
    to,
  );
}

export function redactEmails(text: string): string {
  return text.replace(/[^\s@<>"'(),;:=/]+(@|%40)[^\s@<>"'(),;:/]+/gi, "(address)");
}

interface LoggedRequest {
  method: string;
  url: string;
  ip?: string;
}

function serializeRequest({ method, url, ip }: LoggedRequest): LoggedRequest {
  return { method, url: redactUrl(url), ...(ip !== undefined && { ip }) };
}

/** The path and the names of the parameters: a value may be the token of a link. */
function redactUrl(url: string): string {
  const [path = "", query] = url.split("?");
  const names = query === undefined ? "" : `?${[...new URLSearchParams(query).keys()].join("&")}`;
  return redactEmails(path.replace(/(\/reset-password\/).+/, "$1(token)") + names);
}

function serializeReply({ statusCode }: { statusCode: number }) {
  return { statusCode };
}

/** Without other members: PostgreSQL's errors contain rejected values, SMTP errors the recipients. */
function serializeError(error: Error & { code?: unknown; constraint?: unknown }) {
  const { name, message, stack, code, constraint } = error;
  return {
    type: name,
    message: redactEmails(String(message)),
    stack: redactEmails(String(stack ?? "")),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
  };
}
