/** For libraries that restart their timeout with every byte, or have none. */
export async function withTimeout<T>(
  promise: Promise<T>,
  timeoutMs: number,
  createError: () => Error,
  stopping?: AbortSignal,
): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const rejectTimeout = () => timeout.reject(createError());
  const timer = setTimeout(rejectTimeout, timeoutMs).unref();
  stopping?.addEventListener("abort", rejectTimeout);
  if (stopping?.aborted) rejectTimeout();
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener("abort", rejectTimeout);
  }
}
