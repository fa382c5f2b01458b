/** An email that the SMTP server rejects is retried, and shown to the admin. */
import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectSmtp } from "../../providers/email/deliver.ts";
import { type Mailbox, startMailbox } from "../harness/mailbox.ts";
import { openStore, type TestStore } from "../harness/store.ts";
import { adminOf, signUp } from "../harness/users.ts";

let mailbox: Mailbox;
let store: TestStore;
beforeAll(async () => {
  // the first admin's email and the one of this test
  mailbox = await startMailbox({ refuseFirst: 2 });
  store = await openStore({ environment: { SMTP_URL: mailbox.url } });
});
afterAll(async () => {
  await store.stop();
  await mailbox.stop();
});

test("a rejected email is listed for admins until it is sent, and can be retried", async () => {
  const admin = await adminOf(store);
  const failedEmail = async (to: string) =>
    (await admin.call("listFailedEmails", {})).mails.find((mail) => mail.to === to);
  const other = await signUp(store, "Olga Other");
  await expect.poll(() => failedEmail(other.email), { timeout: 10_000 }).toBeDefined();
  const { email } = await signUp(store, "Rita Refused");
  await expect.poll(() => failedEmail(email), { timeout: 10_000, interval: 50 }).toBeDefined();
  // as after the last retry: given up, but kept
  await store.pool.query(
    "UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE payload->>'email' = $1",
    [email],
  );
  const mail = await failedEmail(email);
  expect(mail).toMatchObject({ kind: "verifyEmail", problem: expect.stringContaining("Try later") });
  expect(mail).not.toHaveProperty("nextTry");
  expect(JSON.stringify(mail)).not.toMatch(/token=/);
  const retry = () => admin.send("retryEmail", { params: { job: mail?.id ?? "" } });
  const lock = (by: string | null, at: Date | null) =>
    store.pool.query(
      "UPDATE graphile_worker._private_jobs SET locked_by = $2, locked_at = $3 WHERE payload->>'email' = $1",
      [email, by, at],
    );
  // as while it is being sent, after a double click
  await lock("another process", new Date());
  expect(await retry()).toMatchObject({ status: 200, body: { modifiedCount: 0 } });
  await lock(null, null);
  expect((await retry()).body).toEqual({ modifiedCount: 1 });
  const arrived = () => mailbox.received.filter(({ to }) => to.includes(email)).length;
  await expect.poll(arrived, { timeout: 15_000 }).toBe(1);
  await expect.poll(() => failedEmail(email), { timeout: 5000 }).toBeUndefined();
  store.logs.expect(/send-mail/);
});

describe("a mail server with unexpected responses", () => {
  const message = { to: "ada@buyers.example", subject: "Hello", text: "Hello", html: "<p>Hello</p>" };
  /** Responds to each command, starting with the greeting, with the next of `lines`; then not at all. */
  const respondWith =
    (...lines: string[]) =>
    (socket: Socket) => {
      let next = 0;
      const sendNextLine = () => lines[next] !== undefined && socket.write(lines[next++] ?? "");
      sendNextLine();
      socket.on("data", sendNextLine);
    };
  const servers: [string, (socket: Socket) => void][] = [
    ["a hang-up", (socket) => socket.destroy()],
    ["silence", () => undefined],
    ["HTTP", respondWith("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")],
    ["bytes", respondWith("\0\u00ff\0\u00ff\r\n\r\n")],
    ["a line without an end", respondWith("220 ".padEnd(200_000, "x"))],
    ["a refusal to talk", respondWith("554 no\r\n")],
    ["silence after the greeting", respondWith("220 hello\r\n")],
    ["nonsense after the greeting", respondWith("220 hello\r\n", "banana\r\n", "banana\r\n", "banana\r\n")],
    ["an unknown number", respondWith("220 hello\r\n", "250 hello\r\n", "999 what\r\n", "999 what\r\n")],
    [
      "a hang-up within the message",
      (socket) => {
        const lines = ["250 hello\r\n", "250 ok\r\n", "250 ok\r\n", "354 go on\r\n"];
        socket.write("220 hello\r\n");
        socket.on("data", () => (lines.length > 0 ? socket.write(lines.shift() ?? "") : socket.destroy()));
      },
    ],
    [
      "a byte now and then",
      (socket) => {
        const drip = setInterval(() => socket.write("2"), 50);
        socket.on("close", () => clearInterval(drip));
      },
    ],
  ];

  test.each(servers)(
    "with %s, does not accept the email, and nothing else happens",
    async (_words, behave) => {
      const sockets = new Set<Socket>();
      const server = createServer((socket) => {
        sockets.add(socket.on("error", () => undefined));
        behave(socket);
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      const { port } = server.address() as { port: number };
      const mailer = connectSmtp(`smtp://127.0.0.1:${port}`, "Stator <orders@store.example>", {
        stepMs: 200,
      });
      await expect(mailer.deliver(message, "1-1")).rejects.toThrow(Error);
      mailer.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  );

  test("that requests a password without TLS gets it only where that is allowed", async () => {
    const plain = await startMailbox({ logins: "plaintext" });
    const url = plain.url.replace("//", "//ada:secret@");
    const from = "Stator <orders@store.example>";
    const strict = connectSmtp(url, from);
    await expect(strict.deliver(message, "1-1")).rejects.toThrow(/STARTTLS/);
    strict.close();
    expect(plain.attempts).toEqual([]);
    const lenient = connectSmtp(url, from, { allowPlaintext: true });
    await lenient.deliver(message, "1-2");
    lenient.close();
    expect(plain.attempts).toEqual(["ada in the clear"]);
    expect(plain.received).toHaveLength(1);
    await plain.stop();

    const secure = await startMailbox({ logins: "starttls" });
    // the test server's own certificate
    store.logs.expect(/built-in default TLS certificate/);
    const query = "?tls.rejectUnauthorized=false";
    const encrypted = connectSmtp(`${secure.url.replace("//", "//ada:secret@")}/${query}`, from);
    await encrypted.deliver(message, "1-3");
    encrypted.close();
    expect(secure.attempts).toEqual(["ada over TLS"]);
    await secure.stop();
  });

  test("that takes long to accept an email does not get it again", async () => {
    const slow = await startMailbox({ acceptAfterMs: 900 });
    const mailer = connectSmtp(slow.url, "Stator <orders@store.example>", { stepMs: 300 });
    await mailer.deliver(message, "1-1");
    expect(slow.received).toHaveLength(1);
    mailer.close();
    await slow.stop();
  });

  test("that closes the connection between two emails is connected to again", async () => {
    const quick = await startMailbox();
    const mailer = connectSmtp(quick.url, "Stator <orders@store.example>", { stepMs: 1000 });
    await mailer.deliver(message, "1-1");
    quick.hangUp();
    await mailer.deliver(message, "1-2");
    expect(quick.received).toHaveLength(2);
    mailer.close();
    await quick.stop();
  });
});
