import { type ChildProcess, fork } from "node:child_process";
import {
  type EncodedPicture,
  EncoderUnavailable,
  type PictureEncoder,
  type PictureProblem,
} from "../../shop/pictures/ports.ts";

type Encoded = EncodedPicture | { problem: PictureProblem };

const PROCESSES = 2;
const TIMEOUT_MS = 60_000;
/** An idle process ends to free its memory. */
const IDLE_MS = 60_000;

interface Encoder {
  child?: ChildProcess | undefined;
  ending?: NodeJS.Timeout;
}

/** Two pictures at a time, each in its own process. A file that crashes it, or takes a minute, is refused. */
export function openEncoder(report: (error: Error) => void): PictureEncoder & { close: () => void } {
  const encoders = Array.from({ length: PROCESSES }, (): Encoder => ({}));
  const free = [...encoders];
  const waiting: ((encoder: Encoder) => void)[] = [];
  let isClosed = false;

  const takeEncoder = async () =>
    free.pop() ?? (await new Promise<Encoder>((resolve) => waiting.push(resolve)));

  function release(encoder: Encoder): void {
    const next = waiting.shift();
    if (next) return next(encoder);
    free.push(encoder);
    encoder.ending = setTimeout(() => endProcess(encoder), IDLE_MS).unref();
  }

  return {
    async encode(open) {
      const encoder = await takeEncoder();
      clearTimeout(encoder.ending);
      try {
        const bytes = Buffer.concat(await Array.fromAsync(open()));
        return await encodeInProcess(encoder, bytes);
      } catch (error) {
        if (error instanceof EncoderUnavailable) report(error);
        if (!(error instanceof EncoderEnded)) throw error;
        if (!isClosed) report(error);
        return { problem: "unreadable" };
      } finally {
        release(encoder);
      }
    },
    close() {
      isClosed = true;
      for (const encoder of encoders) endProcess(encoder);
    },
  };
}

class EncoderEnded extends Error {}

function encodeInProcess(encoder: Encoder, bytes: Buffer): Promise<Encoded> {
  const child = startProcess(encoder);
  const { promise, resolve, reject } = Promise.withResolvers<Encoded>();
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  const onExit = (code: number | null, signal: string | null) => {
    if (encoder.child === child) encoder.child = undefined;
    reject(new EncoderEnded(`The process that encodes pictures ended: ${signal ?? code}.`));
  };
  child.once("message", (encoded) => resolve(encoded as Encoded));
  child.once("exit", onExit);
  child.send(bytes, (error) => error && reject(new EncoderEnded(error.message)));
  return promise.finally(() => {
    clearTimeout(timer);
    child.off("exit", onExit);
    child.removeAllListeners("message");
  });
}

function startProcess(encoder: Encoder): ChildProcess {
  if (encoder.child?.connected) return encoder.child;
  const child = fork(new URL("./encode-process.ts", import.meta.url), {
    serialization: "advanced",
    execArgv: [],
    // no secrets, and no warnings about damaged files
    env: { VIPS_WARNING: "0" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("error", () => undefined);
  if (child.pid === undefined) {
    if (child.connected) child.disconnect();
    throw new EncoderUnavailable("The process that encodes pictures could not be started.");
  }
  encoder.child = child;
  return child;
}

function endProcess(encoder: Encoder): void {
  const { child } = encoder;
  encoder.child = undefined;
  if (child?.connected) child.disconnect();
}
