/**
 * The next page, read before the press. While the pointer or the focus rests on a link, the router lays the page's data
 * and scripts into the browser's cache, from where they are fetched, decoded and run after the press; here that is done
 * as soon as the data have come, and the press finds them in memory (decision 21).
 */
import { useEffect, useState } from "react";
import { type DataStrategyResult, type MiddlewareFunction, useFetcher, useNavigation } from "react-router";

type Results = Record<string, DataStrategyResult>;

/** Who rests on a link for longer sees what is true at the press, and so does who leaves it and comes back. */
const KEPT_MS = 5_000;

/** What `NextPage` is about to ask for, and how it is sent away before it hears the answer. */
let wanted: { address: string; link: HTMLLinkElement; leave: () => Promise<void> } | undefined;

let kept: { address: string; link: HTMLLinkElement; until: number; results: Promise<Results> } | undefined;

/** Client middleware of the root: keeps what was asked for ahead, and hands it over to the move that needs it. */
export const handOver: MiddlewareFunction<Results> = async ({ request }, next) => {
  const address = addressOf(request.url);
  if (wanted?.address === address) {
    const { link, leave } = wanted;
    wanted = undefined;
    const results = next();
    kept = { address, link, until: Date.now() + KEPT_MS, results };
    // A failure is told when the person comes: by then it may be none.
    if (!isWhole(await results)) await leave();
    return results;
  }
  if (kept?.address === address && kept.link.isConnected && Date.now() < kept.until) {
    const { results } = kept;
    kept = undefined;
    if (isWhole(await results)) return results;
  }
  return next();
};

function isWhole(results: Results): boolean {
  return Object.values(results).every(({ type }) => type === "data");
}

/** Reads the page whose data have come while the pointer or the focus rests on its link, and nothing is pressed yet. */
export function Ahead() {
  const [link, setLink] = useState<HTMLLinkElement>();
  const isMoving = useNavigation().state !== "idle";
  useEffect(() => {
    if (isMoving) return;
    const onLoad = ({ target }: Event) => {
      // the router's: it stands in the page for as long as the pointer or the focus rests
      if (target instanceof HTMLLinkElement && target.matches("[rel=prefetch][as=fetch]")) setLink(target);
    };
    document.addEventListener("load", onLoad, true);
    return () => document.removeEventListener("load", onLoad, true);
  }, [isMoving]);
  const onEnd = () => setLink((now) => (now === link ? undefined : now));
  return link && <NextPage key={link.href} link={link} onEnd={onEnd} />;
}

/** Its fetcher goes with it, so that what it asked for is not asked for again at some later move. */
function NextPage({ link, onEnd }: { link: HTMLLinkElement; onEnd: () => void }) {
  const { load } = useFetcher();
  useEffect(() => {
    const gone = Promise.withResolvers<void>();
    const leave = () => {
      onEnd();
      return gone.promise;
    };
    const address = addressOf(link.href);
    wanted = { address, link, leave };
    void load(address === "/" ? "/?index" : address).then(leave);
    return gone.resolve;
    // once, whatever is rendered meanwhile
  }, []);
  return null;
}

/** The path and query of a page, from its own address or that of its data. */
function addressOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  for (const own of ["_routes", "index"]) searchParams.delete(own);
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return pathname.replace(/_?\.data$/, "") + query;
}
