import { Worker } from "node:worker_threads";
import type { SheetRenderer } from "../../shop/documents/sheet.ts";

interface Rendered {
  id: number;
  pdf?: Uint8Array;
  error?: Error;
}

const MEMORY_MB = 512;
const TIMEOUT_MS = 60_000;

/** Uses a worker thread, replaced if it fails or takes a minute. `close` ends it and rejects pending sheets. */
export function openRenderer(): SheetRenderer & { close: () => Promise<void> } {
  const waiting = new Map<number, { resolve: (pdf: Uint8Array) => void; reject: (error: Error) => void }>();
  let worker: Worker | undefined;
  let count = 0;

  const fail = (failed: Worker, error: Error) => {
    if (worker !== failed) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };

  const start = () => {
    const started = new Worker(new URL("./render-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    started.unref();
    started.on("message", ({ id, pdf, error }: Rendered) => {
      const request = waiting.get(id);
      waiting.delete(id);
      if (pdf) request?.resolve(pdf);
      else request?.reject(error ?? new Error("The document could not be rendered."));
    });
    started.on("error", (error) => fail(started, error as Error));
    started.on("exit", () => fail(started, new Error("The thread that renders documents ended.")));
    return started;
  };

  return {
    async render(sheet, paper) {
      worker ??= start();
      const used = worker;
      const id = count++;
      const timer = setTimeout(() => {
        fail(used, new Error(`Rendering ${sheet.title} ${sheet.number} took more than a minute.`));
        void used.terminate();
      }, TIMEOUT_MS);
      try {
        return await new Promise<Uint8Array>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          used.postMessage({ id, sheet, paper });
        });
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await worker?.terminate();
    },
  };
}
