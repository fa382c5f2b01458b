/** Hands a finished message over: to an SMTP server, or without one to a folder that a person can read. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";

export interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Delivers one message under an id that is the same for every try; rejects when it was not taken. */
export type Deliver = (message: Message, id: string) => Promise<void>;

/** Mail over SMTP. `url` as in smtp://user:password@host:587, `from` the sender's address. */
export function deliverBySmtp(url: string, from: string): Deliver {
  const transport = createTransport(url, {
    pool: true,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
  } as object);
  return async (message, id) => {
    await transport.sendMail({
      ...message,
      from,
      messageId: `<${id}@${from.split("@").at(-1)?.replace(">", "")}>`,
    });
  };
}

/**
 * Mail as files in `folder`: one .json with everything (for the admin's page) and one .html to open. The name
 * starts with the time, so that a listing is in order; a repeated try replaces the same mail.
 */
export function deliverToOutbox(folder: string): Deliver {
  return async (message, id) => {
    const name = join(folder, id);
    const kept = JSON.stringify({ ...message, sentAt: new Date().toISOString() }, null, 2);
    try {
      await writeFile(`${name}.html`, message.html, PRIVATE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      // the first mail of all, or the folder was emptied by removing it
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${name}.html`, message.html, PRIVATE);
    }
    await writeFile(`${name}.json`, kept, PRIVATE);
  };
}

const PRIVATE = { mode: 0o600 };
