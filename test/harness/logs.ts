/** The log of a store during a test. Unexpected warnings and errors fail it. */
import { vi } from "vitest";

export interface Logs {
  /** for the store to write to */
  stream: { write(line: string): void };
  /** Removes matching warnings and errors from the log and returns them; throws if there is none. */
  expect(pattern: RegExp): string[];
  /** Throws after an unexpected warning or error. */
  close(): void;
}

const WARNING = 40;

/** Listeners of this process's console; several stores may be open at once. */
const listeners = new Set<(line: string) => void>();
let spies: { mockRestore(): void }[] = [];

function spyOnConsole(): void {
  spies = (["error", "warn"] as const).map((kind) =>
    vi.spyOn(console, kind).mockImplementation((...parts: unknown[]) => {
      for (const listener of listeners) listener(`console.${kind}: ${parts.map(format).join(" ")}`);
    }),
  );
}

/** Listens to a store's log, and to the console and the warnings of this process. */
export function watchLogs(): Logs {
  let bad: string[] = [];
  const listener = (line: string) => bad.push(line);
  if (listeners.size === 0) spyOnConsole();
  listeners.add(listener);
  const onWarning = (warning: Error) => bad.push(`process: ${warning.stack ?? warning.message}`);
  process.on("warning", onWarning);
  return {
    stream: {
      write(line) {
        if ((JSON.parse(line) as { level: number }).level >= WARNING) bad.push(line.trim());
      },
    },
    expect(pattern) {
      const found = bad.filter((line) => pattern.test(line));
      bad = bad.filter((line) => !pattern.test(line));
      if (found.length === 0) throw new Error(`The log has no warning or error like ${pattern}.`);
      return found;
    },
    close() {
      listeners.delete(listener);
      if (listeners.size === 0) for (const spy of spies) spy.mockRestore();
      process.off("warning", onWarning);
      if (bad.length > 0) throw new Error(`Unexpected warnings or errors in the log:\n${bad.join("\n")}`);
    },
  };
}

function format(part: unknown): string {
  return part instanceof Error ? (part.stack ?? part.message) : String(part);
}
