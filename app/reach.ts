/** Whether the store can be reached, and what to do while it cannot. */

/** Told to the window when the script of the next page could not be had (vite.config.ts). */
export const SCRIPT_LOST = "stator:script-lost";

/** Asks for the smallest answer that the store has; false also when it answers that it is not well. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch("/healthz", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** Loads `path` anew if the store can be reached; else says false and leaves the page as it is. */
export async function loadAnew(path: string): Promise<boolean> {
  if (!(await isReachable())) return false;
  window.location.assign(path);
  return true;
}
