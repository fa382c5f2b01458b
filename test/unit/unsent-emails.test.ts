/** What the start prints about emails that nobody receives. */
import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { printUnsentEmails } from "../../server/unsent-emails.ts";

const DATABASE_URL = "postgres://stator@db.example/stator";
const PUBLIC_URL = "https://shop.example";
const SMTP_URL = "smtp://mail.example";
const LINE = "Email: SMTP_URL is not set: emails are files in /data/outbox, and nobody receives them.";

test.each([
  [{}, []],
  [{ PUBLIC_URL: "http://127.0.0.1:3000" }, []],
  [{ PUBLIC_URL }, [LINE]],
  [{ PUBLIC_URL, SMTP_URL }, []],
  [{ DATABASE_URL }, [LINE]],
  [{ DATABASE_URL, SMTP_URL }, []],
])("with %o", (variables, expected) => {
  const lines: string[] = [];
  printUnsentEmails(readConfig({ DATA_DIR: "/data", ...variables }), (printed) => lines.push(printed));
  expect(lines).toEqual(expected);
});
