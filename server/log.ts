/**
 * The log: what happened, never whose. Tokens, passwords, cookies, cards and mail addresses do not get into it,
 * at no level: requests are told by method and path, errors by what they say, both without what is secret.
 */
import pino from "pino";

/** A log of JSON lines to `to`. */
export function openLog(level: string, to: pino.DestinationStream): pino.Logger {
  return pino(
    { level, serializers: { req: serializeRequest, res: serializeReply, err: serializeError } },
    to,
  );
}

/** A text without the mail addresses in it. */
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

/** A path, and the names of what was asked: their values may be the token of a link. */
function redactUrl(url: string): string {
  const [path = "", query] = url.split("?");
  const names = query === undefined ? "" : `?${[...new URLSearchParams(query).keys()].join("&")}`;
  return redactEmails(path.replace(/(\/reset-password\/).+/, "$1(token)") + names);
}

function serializeReply({ statusCode }: { statusCode: number }) {
  return { statusCode };
}

/** Not its other members: a database names the values that it refused, a mail server the recipients. */
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
