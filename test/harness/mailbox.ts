/** A real SMTP server that keeps what it receives. */
import type { Socket } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedEmail {
  from: string;
  to: string[];
  /** the raw message, headers first */
  source: string;
}

export interface Mailbox {
  /** for SMTP_URL */
  url: string;
  received: ReceivedEmail[];
  /** Ends `silent`: greets waiting and new connections. */
  greet(): void;
  /** who logged in, and how */
  attempts: string[];
  /** closes the open connections with an unexpected line */
  hangUp(): void;
  stop(): Promise<void>;
}

type Logins = "none" | "plaintext" | "starttls";
const disabledCommands = { none: ["AUTH", "STARTTLS"], plaintext: ["STARTTLS"], starttls: [] };

/**
 * Starts it on a free port; the first `refuseFirst` messages are temporarily refused (451). A `silent` one accepts
 * connections without a greeting. A message is accepted after `acceptAfterMs`.
 */
export async function startMailbox({
  refuseFirst = 0,
  silent = false,
  acceptAfterMs = 0,
  logins = "none" as Logins,
} = {}): Promise<Mailbox> {
  const received: ReceivedEmail[] = [];
  const attempts: string[] = [];
  let refused = 0;
  const waiting: (() => void)[] = [];
  const server = new SMTPServer({
    onConnect: (_session, done) => (silent ? void waiting.push(done) : done()),
    authOptional: logins === "none",
    allowInsecureAuth: logins === "plaintext",
    disabledCommands: disabledCommands[logins],
    onAuth({ username = "" }, session, done) {
      attempts.push(`${username} ${session.secure ? "over TLS" : "in the clear"}`);
      done(null, { user: username });
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        refused += 1;
        if (refused <= refuseFirst) return done(Object.assign(new Error("Try later"), { responseCode: 451 }));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map((recipient) => recipient.address),
          source: Buffer.concat(chunks).toString("utf8"),
        });
        setTimeout(done, acceptAfterMs);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    greet() {
      silent = false;
      for (const done of waiting.splice(0)) done();
    },
    attempts,
    hangUp: () => {
      for (const { _socket: socket } of server.connections as Set<{ _socket: Socket }>) {
        socket.write("banana\r\n");
        socket.destroySoon();
      }
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
