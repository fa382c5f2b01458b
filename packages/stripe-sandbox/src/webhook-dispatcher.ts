import { setTimeout as pause } from "node:timers/promises";

/** As at Stripe, the page usually confirms before the webhook arrives. Events of the same second are one batch. */
export const DELAY_MS = 1000;

export interface Dispatcher {
  wake: () => void;
  finish: () => Promise<void>;
}

/** `report` is called for a failed delivery; its events stay due. */
export function startDispatcher(
  deliver: () => Promise<unknown>,
  report: (error: unknown) => void,
): Dispatcher {
  let running: Promise<void> | null = null;
  let isRequested = false;
  let isFinished = false;

  async function run() {
    while (isRequested && !isFinished) {
      isRequested = false;
      await pause(DELAY_MS);
      if (isFinished) break; // they stay due
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
      isRequested = true;
      running ??= Promise.resolve().then(run);
    },
    async finish() {
      isFinished = true;
      await running;
    },
  };
}
