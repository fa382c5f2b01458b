/** What the start prints about emails that nobody receives. */
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { printUnsentEmails } from "../../server/unsent-emails.ts";
import { startMailbox } from "../harness/mailbox.ts";

const mailbox = await startMailbox();
afterAll(() => mailbox.stop());
const { url: SMTP_URL } = mailbox;

const DATABASE_URL = "postgres://stator@db.example/stator";
const PUBLIC_URL = "https://shop.example";
const LINE = "Email: SMTP_URL is not set: emails are files in /data/outbox, and nobody receives them.";

test.each([
  [{}, []],
  [{ PUBLIC_URL: "http://127.0.0.1:3000" }, []],
  [{ PUBLIC_URL }, [LINE]],
  [{ PUBLIC_URL, SMTP_URL }, []],
  [{ DATABASE_URL }, [LINE]],
  [{ DATABASE_URL, SMTP_URL }, []],
  [
    { SMTP_URL: "smtp://127.0.0.1:1" },
    [
      "Email: SMTP_URL does not work, and emails wait: The SMTP server cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
    ],
  ],
  [
    { SMTP_URL: SMTP_URL.replace("://", "://app:secret@") },
    [expect.stringMatching(/^Email: SMTP_URL does not work, .*: The SMTP server does not encrypt the conn/)],
  ],
  [{ SMTP_URL: "smtp://127.0.0.1:1", ROLE: "web" }, []],
])("with %o", async (variables, expected) => {
  const lines: string[] = [];
  await printUnsentEmails(readConfig({ DATA_DIR: "/data", ...variables }), (printed) => lines.push(printed));
  expect(lines).toEqual(expected);
});
