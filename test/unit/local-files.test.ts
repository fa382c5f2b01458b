/** What the start prints about emails that are files of one node. */
import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { printLocalFiles } from "../../server/local-files.ts";

const DATABASE_URL = "postgres://stator@db.example/stator";
const PUBLIC_URL = "https://shop.example";
const SMTP_URL = "smtp://mail.example";
const email =
  "Email: SMTP_URL is not set: emails are files in /data/outbox of this node, and nobody receives them.";

test.each([
  [{}, []],
  [{ PUBLIC_URL: "http://127.0.0.1:3000" }, []],
  [{ PUBLIC_URL }, [email]],
  [{ PUBLIC_URL, SMTP_URL }, []],
  [{ DATABASE_URL }, [email]],
  [{ DATABASE_URL, SMTP_URL }, []],
])("with %o", (variables, expected) => {
  const lines: string[] = [];
  printLocalFiles(readConfig({ DATA_DIR: "/data", ...variables }), (line) => lines.push(line));
  expect(lines).toEqual(expected);
});
