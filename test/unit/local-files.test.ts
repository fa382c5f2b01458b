/** What the start prints about emails and pictures that are files of one node. */
import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { printLocalFiles } from "../../server/local-files.ts";

const DATABASE_URL = "postgres://stator@db.example/stator";
const PUBLIC_URL = "https://shop.example";
const SMTP_URL = "smtp://mail.example";
const bucket = {
  PICTURES_S3_URL: "https://s3.example/stator",
  PICTURES_S3_ACCESS_KEY_ID: "key",
  PICTURES_S3_SECRET_ACCESS_KEY: "secret",
};
const email =
  "Email: SMTP_URL is not set: emails are files in /data/outbox of this node, and nobody receives them.";
const pictures =
  "Pictures: PICTURES_S3_URL is not set: pictures are files in /data/pictures, and other nodes do not have them.";

test.each([
  [{}, []],
  [{ PUBLIC_URL: "http://127.0.0.1:3000" }, []],
  // the embedded database has one node, which keeps the pictures
  [{ PUBLIC_URL }, [email]],
  [{ PUBLIC_URL, SMTP_URL }, []],
  [{ DATABASE_URL }, [email, pictures]],
  [{ DATABASE_URL, SMTP_URL }, [pictures]],
  [{ DATABASE_URL, ...bucket }, [email]],
  [{ DATABASE_URL, SMTP_URL, ...bucket }, []],
])("with %o", (variables, expected) => {
  const lines: string[] = [];
  printLocalFiles(readConfig({ DATA_DIR: "/data", ...variables }), (line) => lines.push(line));
  expect(lines).toEqual(expected);
});
