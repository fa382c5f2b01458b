import { useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { checkConnection, useConnection, whenReconnected } from "../data/connection.ts";
import { LOAD_TIMEOUT_MS } from "../performance/load-chunk.ts";
import { SCRIPT_LOST } from "../performance/script-lost.ts";
import { toast } from "./toast.ts";

/** Most pages load faster, and showing the bar briefly would cost them a frame. */
const SHOW_AFTER_MS = 150;

/** A thin bar at the top while a navigation takes longer than 150 ms. */
export function Progress() {
  const { location } = useNavigation();
  const target = location ? location.pathname + location.search : null;
  useLostScripts(target, location?.key);
  // the connection bar reports a navigation that waits for the connection (connection-bar.tsx)
  const navigation = useConnection() === "up" ? location?.key : undefined;
  const isLate = useIsLongerThan(SHOW_AFTER_MS, navigation);
  const hasTimedOut = useIsLongerThan(LOAD_TIMEOUT_MS, navigation);
  useEffect(() => {
    if (!hasTimedOut || !target) return;
    const onPress = async () => {
      if (await checkConnection()) window.location.assign(target);
    };
    toast.error("The page could not be loaded within two minutes.", { label: "Try again", onPress });
  }, [hasTimedOut, target]);
  if (!isLate || hasTimedOut) return null;
  return (
    // a separate landmark, outside of all others
    <section aria-label="Progress">
      <div className="progress" role="progressbar" aria-label="Loading the next page" />
    </section>
  );
}

/** Whether the navigation has taken longer than `ms`. */
function useIsLongerThan(ms: number, navigation: string | undefined): boolean {
  const [slow, setSlow] = useState<string>();
  useEffect(() => {
    if (!navigation) return;
    const timer = setTimeout(() => setSlow(navigation), ms);
    return () => clearTimeout(timer);
  }, [ms, navigation]);
  return navigation !== undefined && slow === navigation;
}

/**
 * The script of the next page may be missing: offline, or because the store was upgraded. The router does not request
 * it again, even if it was only prefetched, so the browser opens the page once the store responds.
 */
function useLostScripts(target: string | null, navigation: string | undefined): void {
  const isLost = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts again with each navigation, also to the same URL
  useEffect(() => {
    const left = new AbortController();
    const open = async () => {
      if (!target || !isLost.current) return;
      if (!(await checkConnection())) await whenReconnected(left.signal);
      if (!left.signal.aborted) window.location.assign(target);
    };
    const onLost = () => {
      isLost.current = true;
      void open().catch(() => undefined); // another link was chosen meanwhile
    };
    if (isLost.current) onLost();
    window.addEventListener(SCRIPT_LOST, onLost);
    return () => {
      left.abort();
      window.removeEventListener(SCRIPT_LOST, onLost);
    };
  }, [target, navigation]);
}
