/** For libraries that restart their timeout with every byte, or have none. */
export async function withTimeout<T>(
  promise: Promise<T>,
  longestMs: number,
  tooLate: () => Error,
  stopping?: AbortSignal,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const rejectLate = () => late.reject(tooLate());
  const timer = setTimeout(rejectLate, longestMs).unref();
  stopping?.addEventListener("abort", rejectLate);
  if (stopping?.aborted) rejectLate();
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener("abort", rejectLate);
  }
}
