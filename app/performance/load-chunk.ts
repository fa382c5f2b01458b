/** Specification, section 9: a script that does not load within 120 seconds has failed. */
export const LOAD_TIMEOUT_MS = 120_000;

/** Rejects if the chunk cannot be loaded in time. The caller reports it and offers Try again. */
export function withLoadTimeout<Module>(loading: Promise<Module>): Promise<Module> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("not loaded within 120 seconds")), LOAD_TIMEOUT_MS);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
