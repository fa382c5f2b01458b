import { Worker } from "node:worker_threads";
import type { Paper, Sheet, SheetRenderer } from "../../shop/documents/sheet.ts";

interface RenderResult {
  pdf?: Uint8Array;
  error?: Error;
}

const MEMORY_MB = 512;
const TIMEOUT_MS = 60_000;
/** Sheets of 2,000 lines take about a third of a second each. */
const MAX_QUEUED = 100;

/** One sheet after the other in a worker thread, replaced if it fails or takes a minute. */
export function openRenderer(): SheetRenderer & { close: () => Promise<void> } {
  let worker: Worker | undefined;
  let current: { resolve: (pdf: Uint8Array) => void; reject: (error: Error) => void } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let queued = 0;
  let isClosed = false;

  const fail = (failed: Worker, error: Error) => {
    if (worker !== failed) return;
    worker = undefined;
    current?.reject(error);
  };

  const start = () => {
    const started = new Worker(new URL("./render-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    started.unref();
    started.on("message", ({ pdf, error }: RenderResult) => {
      if (worker !== started) return;
      if (pdf) current?.resolve(pdf);
      else current?.reject(error ?? new Error("The document could not be rendered."));
    });
    started.on("error", (error) => fail(started, error as Error));
    started.on("exit", () => fail(started, new Error("The thread that renders documents ended.")));
    return started;
  };

  const renderNow = async (sheet: Sheet, paper: Paper) => {
    if (isClosed) throw new Error("The renderer of documents was closed.");
    worker ??= start();
    const used = worker;
    const timer = setTimeout(() => {
      fail(used, new Error(`Rendering ${sheet.title} ${sheet.number} took more than a minute.`));
      void used.terminate();
    }, TIMEOUT_MS);
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        current = { resolve, reject };
        used.postMessage({ sheet, paper });
      });
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async render(sheet, paper) {
      if (queued === MAX_QUEUED) return null;
      queued += 1;
      const rendered = last
        .then(() => renderNow(sheet, paper))
        .finally(() => {
          queued -= 1;
        });
      last = rendered.catch(() => {});
      return rendered;
    },
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}
