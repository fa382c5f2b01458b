import { join } from "node:path";
import { type Config, isPublic } from "./config.ts";

export function printUnsentEmails(config: Config, print: (line: string) => void): void {
  if (config.SMTP_URL || !(config.DATABASE_URL || isPublic(config))) return;
  const outbox = join(config.DATA_DIR, "outbox");
  print(`Email: SMTP_URL is not set: emails are files in ${outbox}, and nobody receives them.`);
}
