import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { withTimeout } from "../with-timeout.ts";
import { explainFailure, type SendError } from "./explain-failure.ts";

interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Record<string, string>;
}

/**
 * The id is the same for every attempt; rejects if the message was not accepted. Gives up once `stopping` is aborted,
 * unless the server has the whole message and may accept it within seconds.
 */
export type Deliver = (message: Message, id: string, stopping?: AbortSignal) => Promise<void>;

export interface Mailer {
  deliver: Deliver;
  close(): void;
}

/** The stop of a store may take 20 seconds, of which its requests get 15. */
const ACCEPTED_AT_STOP_MS = 4000;

/** With credentials the server must offer TLS, unless `allowPlaintext`. A delivery may take six times `stepMs`. */
export function connectSmtp(
  url: string,
  from: string,
  { stepMs = 10_000, allowPlaintext = false } = {},
): Mailer & { verify: () => Promise<void> } {
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
  const transmitted = new WeakSet<AbortSignal>();
  transport.use("stream", ({ data, message }, next) => {
    message.processFunc((content) => content.once("end", () => transmitted.add(data.signal as AbortSignal)));
    next();
  });
  return {
    async deliver(message, id, stopping) {
      const givenUp = new AbortController();
      const giveUp = () => givenUp.abort();
      const stop = () => {
        if (transmitted.has(givenUp.signal)) setTimeout(giveUp, ACCEPTED_AT_STOP_MS).unref();
        else giveUp();
      };
      const sent = transport.sendMail({
        ...message,
        from,
        signal: givenUp.signal,
        messageId: `<${id}@${from.split("@").at(-1)?.replace(">", "")}>`,
      });
      const createTimeoutError = () => new Error("The SMTP server did not accept the message in time.");
      stopping?.addEventListener("abort", stop);
      if (stopping?.aborted) stop();
      try {
        await withTimeout(sent, 6 * stepMs, createTimeoutError);
      } catch (error) {
        throw explainFailure(error as SendError);
      } finally {
        stopping?.removeEventListener("abort", stop);
        // otherwise a message reported as failed might still be sent
        giveUp();
      }
    },
    /** Connects and logs in, as for an email; rejects with what to fix. */
    async verify() {
      await transport.verify().catch((error: SendError) => {
        throw explainFailure(error);
      });
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
