/** A real SMTP server that keeps what it receives. */
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** the message as it came, headers first */
  source: string;
}

export interface Mailbox {
  /** for SMTP_URL */
  url: string;
  received: ReceivedMail[];
  stop(): Promise<void>;
}

/** Starts it on a free port; the first `refuseFirst` messages are refused for now (451). */
export async function startMailbox({ refuseFirst = 0 } = {}): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
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
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
