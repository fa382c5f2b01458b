/** The log must not identify anyone: no tokens, passwords, cookies, cards, email or IP addresses at any level. */
import { writeSync } from "node:fs";
import pino from "pino";

/** `mixin` adds members to each line. */
export function openLog(level: string, to: pino.DestinationStream, mixin?: () => object): pino.Logger {
  const serializers = { req: serializeRequest, res: serializeReply, err: serializeError };
  return pino({ level, serializers, ...(mixin && { mixin }) }, to);
}

/** What waits to be written; beyond it, lines are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const REPEAT_AFTER_MS = 60_000;
let reportedAt = Number.NEGATIVE_INFINITY;

/** Without a reader, as after `npm start | head`, nobody would read that either. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  const now = performance.now();
  if (code === "EPIPE" || now - reportedAt < REPEAT_AFTER_MS) return;
  reportedAt = now;
  process.stderr.write(`The output cannot be written, and the store continues: ${message}\n`);
}

/** A file on a full disk takes no output; an error without a listener would end the process. */
export function continueWithoutOutput(): void {
  process.stdout.on("error", reportLostOutput);
  process.stderr.on("error", () => undefined);
}

/** For the log. It is written again as soon as there is space. */
export function openStandardOutput(): pino.DestinationStream {
  const output = pino.destination({ dest: 1, maxLength: MAX_WAITING_BYTES });
  output.on("error", reportLostOutput);
  // at the exit; pino's own repeats a write that fails for ever
  output.flushSync = () => {
    const { _bufs: waiting } = output as unknown as { _bufs: string[] };
    try {
      writeAll(waiting.splice(0).join(""));
    } catch (error) {
      reportLostOutput(error as NodeJS.ErrnoException);
    }
  };
  return output;
}

function writeAll(text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // the reader of a full pipe is slow
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

export function redactEmails(text: string): string {
  // the lookbehind makes it linear: a match can only begin at the first character of a word
  return text.replace(/(?<![^\s@<>"'(),;:=/])[^\s@<>"'(),;:=/]+(@|%40)[^\s@<>"'(),;:/]+/gi, "(email)");
}

function serializeRequest({ method, url }: { method: string; url: string }) {
  return { method, url: redactUrl(url) };
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

/** The messages of what caused it, unless its own message has them. An `AggregateError` of a connection has only a code. */
function causeOf({ message, cause }: Error): string {
  if (!(cause instanceof Error)) return "";
  const reason = cause.message || (cause as NodeJS.ErrnoException).code || "";
  const reasons = [String(message).includes(reason) ? "" : reason, causeOf(cause)];
  return reasons.filter(Boolean).join(": ");
}

/** Without other members: PostgreSQL's errors contain rejected values, SMTP errors the recipients. */
function serializeError(error: Error & { code?: unknown; constraint?: unknown }) {
  const { name, message, stack, code, constraint } = error;
  const cause = causeOf(error);
  return {
    type: name,
    message: redactEmails(String(message)),
    ...(cause && { cause: redactEmails(cause) }),
    stack: redactEmails(String(stack ?? "")),
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
  };
}
