/** Times are shown in the browser's time zone, which a cookie sends to the server for the first HTML. */
import { createContext, useContext } from "react";
import { useBrowserValue } from "./use-browser-value.ts";

/** The zone that the server rendered with, and its clock then, in milliseconds. */
export const ServerTime = createContext({ zone: "UTC", now: 0 });

export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function storeTimeZone(): void {
  const year = 365 * 86_400;
  // biome-ignore lint/suspicious/noDocumentCookie: some browsers have no Cookie Store API
  document.cookie = `stator.zone=${encodeURIComponent(browserTimeZone())}; path=/dashboard; max-age=${year}; samesite=lax`;
}

export function useTimeZone(): string {
  const { zone } = useContext(ServerTime);
  return useBrowserValue(browserTimeZone, zone);
}

/** The time of the last load, the same on the server and in the browser. */
export function useNow(): number {
  return useContext(ServerTime).now;
}
