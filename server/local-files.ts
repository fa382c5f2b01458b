import { join } from "node:path";
import { type Config, isPublic } from "./config.ts";

/** Warns of emails that nobody receives and of pictures that other nodes do not have. */
export function printLocalFiles(config: Config, print: (line: string) => void): void {
  const mayHaveNodes = config.DATABASE_URL !== undefined;
  if (!config.SMTP_URL && (mayHaveNodes || isPublic(config))) {
    const outbox = join(config.DATA_DIR, "outbox");
    print(
      `Email: SMTP_URL is not set: emails are files in ${outbox} of this node, and nobody receives them.`,
    );
  }
  if (!config.PICTURES_S3_URL && mayHaveNodes) {
    const pictures = join(config.DATA_DIR, "pictures");
    print(
      `Pictures: PICTURES_S3_URL is not set: pictures are files in ${pictures}, and other nodes do not have them.`,
    );
  }
}
