import { join } from "node:path";
import { type Config, isPublic } from "./config.ts";

/** Warns of emails that nobody receives. */
export function printLocalFiles(config: Config, print: (line: string) => void): void {
  if (!config.SMTP_URL && (config.DATABASE_URL || isPublic(config))) {
    const outbox = join(config.DATA_DIR, "outbox");
    print(
      `Email: SMTP_URL is not set: emails are files in ${outbox} of this node, and nobody receives them.`,
    );
  }
}
