/** Whether the store can be reached. The browser or a failed request reports a loss; a probe reports the return. */

import { useSyncExternalStore } from "react";
import { createListeners } from "./listeners.ts";

/** `offline`: no response; `down`: a response, but the store is not ready */
export type Connection = "up" | "offline" | "down";

const FIRST_PROBE_MS = 2_000;
const MAX_PAUSE_MS = 15_000;

let connection: Connection = "up";
let timer: ReturnType<typeof setTimeout> | undefined;
/** the latest probe or event, which decides; results of older probes are ignored */
let latest: Promise<boolean>;
const listeners = createListeners();

export function useConnection(): Connection {
  return useSyncExternalStore(
    listeners.subscribe,
    () => connection,
    () => "up",
  );
}

/** Probes the store now and, while it does not respond, repeatedly. Returns whether it can be reached. */
export function checkConnection(pause = FIRST_PROBE_MS): Promise<boolean> {
  const own: Promise<boolean> = probe().then((found) => {
    if (own !== latest) return latest;
    change(found, pause);
    return found === "up";
  });
  latest = own;
  return own;
}

/** Resolves when the store can be reached again; rejects when the signal aborts. */
export function whenReconnected(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = listeners.subscribe(() => {
      if (connection !== "up") return;
      stop();
      resolve();
    });
    signal.addEventListener("abort", () => {
      stop();
      reject(signal.reason);
    });
  });
}

export function reportNetworkResult(): () => void {
  const onOffline = () => {
    latest = Promise.resolve(false);
    change("offline", FIRST_PROBE_MS);
  };
  const onOnline = () => void checkConnection();
  window.addEventListener("offline", onOffline);
  window.addEventListener("online", onOnline);
  return () => {
    window.removeEventListener("offline", onOffline);
    window.removeEventListener("online", onOnline);
  };
}

async function probe(): Promise<Connection> {
  try {
    return (await fetch("/readyz", { cache: "no-store" })).ok ? "up" : "down";
  } catch {
    return "offline";
  }
}

function change(next: Connection, pause: number) {
  clearTimeout(timer);
  if (next !== "up") timer = setTimeout(() => void checkConnection(Math.min(2 * pause, MAX_PAUSE_MS)), pause);
  if (next === connection) return;
  connection = next;
  listeners.notify();
}
