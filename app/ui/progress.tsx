import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { offline } from "../../shop/offline.ts";
import { loadAnew, SCRIPT_LOST } from "../reach.ts";
import { toast } from "./toast.ts";

/** Specification, section 9: a part of the page that does not come within 120 seconds is given up. */
const CHUNK_LOAD_TIMEOUT_MS = 120_000;

/** Most pages are there sooner, and a bar that comes and goes would cost them a frame. */
const LATE_MS = 150;

/** A thin bar at the top while the next page is on its way for longer than 150 ms. */
export function Progress() {
  const { location } = useNavigation();
  const target = location ? location.pathname + location.search : null;
  const isLost = useLostScripts(target, location?.key);
  const move = isLost ? undefined : location?.key;
  const isLate = useLongerThan(LATE_MS, move);
  const isGivenUp = useLongerThan(CHUNK_LOAD_TIMEOUT_MS, move);
  useEffect(() => {
    if (isGivenUp && target) offerRetry("The page could not be loaded within two minutes.", target);
  }, [isGivenUp, target]);
  if (!isLate || isGivenUp) return null;
  return (
    // a landmark of its own, as it stands outside of all others
    <section aria-label="Progress">
      <div className="progress" role="progressbar" aria-label="Loading the next page" />
    </section>
  );
}

/** Whether this move has been under way for so long. */
function useLongerThan(ms: number, move: string | undefined): boolean {
  const [slow, setSlow] = useState<string>();
  useEffect(() => {
    if (!move) return;
    const timer = setTimeout(() => setSlow(move), ms);
    return () => clearTimeout(timer);
  }, [ms, move]);
  return move !== undefined && slow === move;
}

/**
 * The script of the next page may be lost with the connection, or be gone because the store was upgraded. In the
 * second case the page is loaded anew; in the first one the person stays where they are and is offered Retry.
 */
function useLostScripts(target: string | null, move: string | undefined): boolean {
  const [lostMove, setLostMove] = useState<string>();
  // the router does not ask a second time for a script that was lost, be it while a pointer rested on a link
  const given = useRef<string>(undefined);
  const giveUp = useCallback(async (path: string, of: string) => {
    if (given.current === of) return;
    given.current = of;
    setLostMove(of);
    if (!(await loadAnew(path))) offerRetry(offline, path);
  }, []);

  useEffect(() => {
    if (target && move && given.current) void giveUp(target, move);
    const onLost = () => {
      if (target && move) void giveUp(target, move);
      else given.current = "ahead of a press";
    };
    window.addEventListener(SCRIPT_LOST, onLost);
    return () => window.removeEventListener(SCRIPT_LOST, onLost);
  }, [target, move, giveUp]);
  return move !== undefined && lostMove === move;
}

function offerRetry(words: string, path: string): void {
  const onPress = async () => {
    if (!(await loadAnew(path))) offerRetry(offline, path);
  };
  toast.error(words, { label: "Retry", onPress });
}
