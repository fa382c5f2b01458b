import { setTimeout as pause } from "node:timers/promises";

/**
 * What `answer` gives, or the error `tooLate` when that takes longer than `longestMs` or `stopping` is aborted. For
 * libraries whose own timeouts start again with every byte, or that have none.
 */
export async function withTimeout<T>(
  answer: Promise<T>,
  longestMs: number,
  tooLate: () => Error,
  stopping?: AbortSignal,
): Promise<T> {
  const ended = new AbortController();
  const giveUp = async () => {
    const signal = stopping ? AbortSignal.any([ended.signal, stopping]) : ended.signal;
    await pause(longestMs, undefined, { signal, ref: false }).catch(() => undefined);
    throw tooLate();
  };
  try {
    return await Promise.race([answer, giveUp()]);
  } finally {
    ended.abort();
  }
}
