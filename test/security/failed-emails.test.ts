/** An email that the SMTP server rejects is retried, and shown to the admin. */
import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectSmtp } from "../../providers/email/deliver.ts";
import { deleteGivenUpEmails } from "../../shop/emails/failed-emails.ts";
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
  await expect.poll(() => failedEmail(email)).toBeUndefined();
  store.logs.expect(/send-mail/);
});

test("a server that is away is in the log once, not once per email; emails that were given up are deleted later", async () => {
  const away = await openStore({ environment: { SMTP_URL: "smtp://127.0.0.1:1" } });
  onTestFinished(() => away.stop());
  await away.pool.query("DELETE FROM graphile_worker._private_jobs");
  await away.pool.query(
    `SELECT graphile_worker.add_job('send-mail', json_build_object('mail', 'securityNotice', 'name', 'Ada',
       'event', 'passwordChanged', 'at', now(), 'email', 'person-' || n || '@buyers.example'))
     FROM generate_series(1, 30) AS n`,
  );
  const admin = await adminOf(away);
  const listed = async () => (await admin.call("listFailedEmails", {})).mails;
  await expect.poll(async () => (await listed()).length, { timeout: 10_000 }).toBe(30);
  expect((await listed())[0]?.problem).toBe(
    "The SMTP server cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
  );
  expect(away.logs.expect(/send-mail/)).toHaveLength(1);
  await away.pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() - interval '31 days',
       attempts = CASE payload->>'email' WHEN 'person-1@buyers.example' THEN 24 ELSE 25 END`,
  );
  await deleteGivenUpEmails({ ...away, unpaidHoldHours: 0 });
  expect((await listed()).map(({ to }) => to)).toEqual(["person-1@buyers.example"]);
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
  const listen = async (behave: (socket: Socket) => void) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on("error", () => undefined));
      behave(socket);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    });
    return `127.0.0.1:${(server.address() as { port: number }).port}`;
  };
  const hello = ["220 hello\r\n", "250-hello\r\n250 AUTH PLAIN\r\n"];
  test.each<[string, string, string[], string]>([
    [
      "a wrong password",
      "ada:wrong@",
      [...hello, "535 No such password.\r\n"],
      "user or the password of SMTP_URL: 535 No",
    ],
    [
      "no password",
      "",
      [...hello, "530 Log in first\r\n"],
      "requires a user and a password in SMTP_URL: 530 Log",
    ],
    [
      "an unknown recipient",
      "",
      [...hello, "250 ok\r\n", "550 No such user\r\n"],
      "refuses the recipient: 550 No",
    ],
    ["a refused sender", "", [...hello, "553 Not you\r\n"], "refuses the sender: 553 Not"],
    ["another protocol", "", ["SSH-2.0-OpenSSH_9.9\r\n"], "is not an SMTP server: SSH-2.0"],
    ["a port that begins with TLS", "", [], "needs smtps:// in SMTP_URL"],
  ])("says in plain words what is wrong, as with %s", async (_words, login, lines, problem) => {
    const address = await listen(respondWith(...lines));
    const mailer = connectSmtp(`smtp://${login}${address}`, "Stator <orders@store.example>", {
      stepMs: 200,
      allowPlaintext: true,
    });
    await expect(mailer.deliver(message, "1-1")).rejects.toThrow(problem);
    mailer.close();
  });

  test("says that its certificate is not valid, or that its port does not begin with TLS", async () => {
    const mailer = async (url: string) => connectSmtp(url, "Stator <orders@store.example>", { stepMs: 1000 });
    const expired = await startMailbox({ logins: "starttls" });
    store.logs.expect(/built-in default TLS certificate/);
    await expect((await mailer(expired.url)).deliver(message, "1-1")).rejects.toThrow(
      "The certificate of the SMTP server is not valid: certificate has expired",
    );
    await expired.stop();
    const plain = await startMailbox();
    const encrypted = plain.url.replace("smtp:", "smtps:");
    await expect((await mailer(encrypted)).deliver(message, "1-1")).rejects.toThrow("needs smtp:// instead");
    await plain.stop();
  });

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
      const address = await listen(behave);
      const mailer = connectSmtp(`smtp://${address}`, "Stator <orders@store.example>", { stepMs: 200 });
      await expect(mailer.deliver(message, "1-1")).rejects.toThrow(Error);
      mailer.close();
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
