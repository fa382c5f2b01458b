import { join } from "node:path";
import { connectSmtp } from "../providers/email/deliver.ts";
import { type Config, isPublic } from "./config.ts";

export function connectMailer({ publicUrl, SMTP_URL, SMTP_ALLOW_PLAINTEXT }: Config) {
  const from = `Stator <orders@${new URL(publicUrl).hostname}>`;
  return connectSmtp(SMTP_URL as string, from, { allowPlaintext: SMTP_ALLOW_PLAINTEXT });
}

/** Why nobody receives emails. A web node sends none, and may not reach the SMTP server. Never throws. */
export async function printUnsentEmails(config: Config, print: (line: string) => void): Promise<void> {
  if (config.SMTP_URL) {
    if (config.ROLE === "web") return;
    const mailer = connectMailer(config);
    await mailer
      .verify()
      .catch(({ message }: Error) => print(`Email: SMTP_URL does not work, and emails wait: ${message}`));
    mailer.close();
  } else if (config.DATABASE_URL || isPublic(config)) {
    const outbox = join(config.DATA_DIR, "outbox");
    print(`Email: SMTP_URL is not set: emails are files in ${outbox}, and nobody receives them.`);
  }
}
