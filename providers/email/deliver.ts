import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { withTimeout } from "../with-timeout.ts";

interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

/** The id is the same for every attempt; rejects if the message was not accepted. */
export type Deliver = (message: Message, id: string) => Promise<void>;

export interface Mailer {
  deliver: Deliver;
  close(): void;
}

/** With credentials the server must offer TLS, unless `allowPlaintext`. A delivery may take six times `stepMs`. */
export function connectSmtp(
  url: string,
  from: string,
  { stepMs = 10_000, allowPlaintext = false } = {},
): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    // otherwise an attacker who strips STARTTLS would get the password
    requireTLS: new URL(url).username !== "" && !allowPlaintext,
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    // some servers scan a message for half a minute before they accept it, and would get it again with each attempt
    socketTimeout: 6 * stepMs,
  });
  // an unhandled error of an idle connection would end the process; the next delivery reports it
  transport.on("error", () => undefined);
  return {
    async deliver(message, id) {
      const timedOut = new AbortController();
      const sent = transport.sendMail({
        ...message,
        from,
        signal: timedOut.signal,
        messageId: `<${id}@${from.split("@").at(-1)?.replace(">", "")}>`,
      });
      const createTimeoutError = () => new Error("The SMTP server did not accept the message in time.");
      // otherwise a message reported as failed might still be sent
      await withTimeout(sent, 6 * stepMs, createTimeoutError).finally(() => timedOut.abort());
    },
    close: () => transport.close(),
  };
}

/** One JSON file each; the name starts with the time, and a retry replaces the same email. */
export function deliverToOutbox(folder: string): Deliver {
  return async (message, id) => {
    const file = join(folder, `${id}.json`);
    const content = JSON.stringify({ ...message, sentAt: new Date().toISOString() }, null, 2);
    try {
      await writeFile(file, content, PRIVATE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      // the first email, or the folder was removed
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(file, content, PRIVATE);
    }
  };
}

const PRIVATE = { mode: 0o600 };
