import pg from "pg";
import { keepAliveOptions } from "./client.ts";

export interface ChangeListener {
  /** Registers a callback for changes; without a table, anything may have changed. */
  onChange(callback: (table?: string) => void): void;
  stop(): Promise<void>;
}

const RETRY_MS = 1000;

export function listenForChanges(connection: pg.PoolConfig, report: (error: Error) => void): ChangeListener {
  const listeners: ((table?: string) => void)[] = [];
  let isStopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const notify = (table?: string) => {
    for (const listener of listeners) listener(table);
  };

  async function listen(): Promise<void> {
    const connected = new pg.Client({ ...keepAliveOptions, ...connection } as pg.ClientConfig);
    client = connected;
    let isLost = false;
    const reconnect = (error: Error) => {
      if (isLost || isStopped) return;
      isLost = true;
      report(error);
      connected.end().catch(() => {});
      timer = setTimeout(listen, RETRY_MS);
    };
    connected.on("error", reconnect);
    connected.on("notification", ({ payload }) => notify(payload));
    try {
      await connected.connect();
      await connected.query("LISTEN stator_change");
      // changes may have been missed while disconnected
      notify();
    } catch (error) {
      reconnect(error as Error);
    }
  }

  const first = listen();
  return {
    onChange: (listener) => listeners.push(listener),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await first;
      await client?.end().catch(report);
    },
  };
}
