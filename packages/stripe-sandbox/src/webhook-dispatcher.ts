/** Runs deliveries one after the other in this process, however often it is nudged. */

export interface Courier {
  /** There may be something to deliver. Returns at once. */
  nudge: () => void;
  /** Waits for the delivery under way and starts no other. */
  finish: () => Promise<void>;
}

/** `report` is called with a failed delivery; the events stay due. */
export function courier(deliver: () => Promise<unknown>, report: (error: unknown) => void): Courier {
  let running: Promise<void> | null = null;
  let wanted = false;
  let finished = false;

  async function run() {
    while (wanted && !finished) {
      wanted = false;
      try {
        await deliver();
      } catch (error) {
        report(error);
      }
    }
    running = null;
  }

  return {
    nudge() {
      wanted = true;
      running ??= Promise.resolve().then(run);
    },
    async finish() {
      finished = true;
      await running;
    },
  };
}
