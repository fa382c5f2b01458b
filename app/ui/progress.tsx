import { useEffect } from "react";
import { useNavigation } from "react-router";
import { toast } from "./toast.ts";

/** Specification, section 9: a part of the page that does not come within 120 seconds is given up. */
const CHUNK_LOAD_TIMEOUT_MS = 120_000;

/** A thin bar at the top while the next page is on its way for longer than 150 ms. */
export function Progress() {
  const { state, location } = useNavigation();
  const target = location ? location.pathname + location.search : null;
  useEffect(() => {
    if (!target) return;
    const timer = setTimeout(() => {
      const retry = { label: "Retry", onPress: () => window.location.assign(target) };
      toast.error("The page could not be loaded within two minutes.", retry);
    }, CHUNK_LOAD_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [target]);
  if (state === "idle") return null;
  return <div className="progress late" role="progressbar" aria-label="Loading the next page" />;
}
