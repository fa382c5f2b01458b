/** Every process purges after a change: repeated purges are harmless. */
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.ts";
import { keysOfChange, type SurrogateKey } from "./edge-cache.ts";

export interface EdgePurger {
  /** Purges what shows `table` within 200 ms; everything if no table is given. */
  onChange(table?: string): void;
  stop(): Promise<void>;
}

interface PurgeOptions extends Pick<Config, "PURGE_TOKEN"> {
  urls: string[];
  count: (result: "sent" | "failed") => void;
  report: (error: unknown, message: string) => void;
}

/** Changes are batched for this long, so that responses rendered before them reach the edge and are purged too. */
const BATCH_MS = 150;
const TIMEOUT_MS = 3000;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5000;

export function openEdgePurger({ urls, ...options }: PurgeOptions): EdgePurger {
  const stopping = new AbortController();
  const edges = urls.map((url) => openEdge(url, options, stopping.signal));
  return {
    onChange(table) {
      for (const edge of edges) edge.add(keysOfChange(table));
    },
    async stop() {
      stopping.abort();
      await Promise.all(edges.map((edge) => edge.idle()));
    },
  };
}

function openEdge(
  url: string,
  { PURGE_TOKEN, count, report }: Omit<PurgeOptions, "urls">,
  stop: AbortSignal,
) {
  const pending = new Set<SurrogateKey>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    let retryMs = 0;
    while (pending.size > 0 && !stop.aborted) {
      await pause(retryMs || BATCH_MS, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return;
      const keys = [...pending];
      pending.clear();
      try {
        await purge(url, PURGE_TOKEN, keys, AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]));
        count("sent");
        retryMs = 0;
      } catch (error) {
        if (stop.aborted) return;
        count("failed");
        // once per outage: the metrics count the attempts
        if (retryMs === 0) report(error, `the edge cache at ${new URL(url).host} was not purged`);
        for (const key of keys) pending.add(key);
        retryMs = Math.min(MAX_RETRY_MS, retryMs * 2 || FIRST_RETRY_MS);
      }
    }
  }

  return {
    add(keys: SurrogateKey[]) {
      for (const key of keys) pending.add(key);
      sending ??= send().finally(() => {
        sending = undefined;
      });
    },
    idle: async () => sending,
  };
}

/** Varnish reads the keys from a header, Cloudflare's API from the body. */
async function purge(url: string, token: string | undefined, keys: SurrogateKey[], signal: AbortSignal) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "surrogate-key": keys.join(" "),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ tags: keys }),
    redirect: "error",
    signal,
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The edge cache responded ${response.status}.`);
}
