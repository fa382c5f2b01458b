/** Runs deliveries one at a time in this process. */
import { setTimeout as pause } from "node:timers/promises";

/**
 * Events are delivered after a delay, as Stripe's are: the page usually confirms the payment first, which leaves the
 * webhook nothing to do, and events of the same moment are one batch.
 */
export const DELAY_MS = 1000;

export interface Dispatcher {
  /** Starts a delivery, unless one is running or due. Returns at once. */
  wake: () => void;
  /** Waits for the running delivery and starts no other. */
  finish: () => Promise<void>;
}

/** `report` is called for a failed delivery; its events stay due. */
export function startDispatcher(
  deliver: () => Promise<unknown>,
  report: (error: unknown) => void,
): Dispatcher {
  let running: Promise<void> | null = null;
  let wanted = false;
  let finished = false;

  async function run() {
    while (wanted && !finished) {
      wanted = false;
      await pause(DELAY_MS);
      if (finished) break; // they stay due
      try {
        await deliver();
      } catch (error) {
        report(error);
      }
    }
    running = null;
  }

  return {
    wake() {
      wanted = true;
      running ??= Promise.resolve().then(run);
    },
    async finish() {
      finished = true;
      await running;
    },
  };
}
