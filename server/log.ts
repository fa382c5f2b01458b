/**
 * The log: what happened, never whose. Tokens, passwords, cookies, cards and mail addresses do not get into it,
 * at no level: requests are told by method and path, errors by what they say, both without what is secret.
 */
import pino from "pino";

/** A log of JSON lines to `to`. */
export function openLog(level: string, to: pino.DestinationStream): pino.Logger {
  return pino({ level, serializers: { req: tellRequest, res: tellReply, err: tellError } }, to);
}

/** A text without the mail addresses in it. */
export function withoutAddresses(text: string): string {
  return text.replace(/[^\s@<>"'(),;:=/]+(@|%40)[^\s@<>"'(),;:/]+/gi, "(address)");
}

interface Told {
  method: string;
  url: string;
  ip?: string;
}

function tellRequest({ method, url, ip }: Told): Told {
  return { method, url: tellUrl(url), ...(ip !== undefined && { ip }) };
}

/** A path, and the names of what was asked: their values may be the token of a link. */
function tellUrl(url: string): string {
  const [path = "", query] = url.split("?");
  const names = query === undefined ? "" : `?${[...new URLSearchParams(query).keys()].join("&")}`;
  return withoutAddresses(path.replace(/(\/reset-password\/).+/, "$1(token)") + names);
}

function tellReply({ statusCode }: { statusCode: number }) {
  return { statusCode };
}

/** Not its other members: a database names the values that it refused, a mail server the recipients. */
function tellError(error: Error & { code?: unknown; constraint?: unknown }) {
  const { name, message, stack, code, constraint } = error;
  return {
    type: name,
    message: withoutAddresses(String(message)),
    stack: withoutAddresses(String(stack ?? "")),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
  };
}
