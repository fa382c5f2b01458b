import { setTimeout as pause } from "node:timers/promises";

/** For libraries that restart their timeout with every byte, or have none. */
export async function withTimeout<T>(
  promise: Promise<T>,
  longestMs: number,
  tooLate: () => Error,
  stopping?: AbortSignal,
): Promise<T> {
  const ended = new AbortController();
  const rejectLate = async () => {
    const signal = stopping ? AbortSignal.any([ended.signal, stopping]) : ended.signal;
    await pause(longestMs, undefined, { signal, ref: false }).catch(() => undefined);
    throw tooLate();
  };
  try {
    return await Promise.race([promise, rejectLate()]);
  } finally {
    ended.abort();
  }
}
