/** The data of a page's loader, with functions to reload it and to change what is shown meanwhile. */
import { useCallback, useRef, useState } from "react";
import { useLocation, useNavigation, useRevalidator } from "react-router";
import type { Failure, Outcome } from "../../api/outcome.ts";

export interface LoaderResult<Value> {
  /** the last successful data for this URL; kept if a reload fails */
  data: Value | undefined;
  failure: Failure | undefined;
  /** changes with each load */
  attempt: number;
  /** the user waits for it: after a filter or `reload`, not during a background reload */
  loading: boolean;
  reload: () => void;
  /** changes what is shown until the next load */
  change: (update: (data: Value) => Value) => void;
}

interface State<Value> {
  outcome: Outcome<Value>;
  at: string;
  attempt: number;
  data: Value | undefined;
}

export function useLoaderResult<Value>(outcome: Outcome<Value>): LoaderResult<Value> {
  const { pathname, search } = useLocation();
  const { location } = useNavigation();
  const { revalidate, state: revalidation } = useRevalidator();
  const at = pathname + search;
  const [kept, setKept] = useState<State<Value>>(() => afterLoad(outcome, at));
  const [isReloading, setIsReloading] = useState(false);
  let state = kept;
  if (outcome !== kept.outcome) {
    state = afterLoad(outcome, at, kept);
    setKept(state);
    setIsReloading(false);
  }
  const isLoadingPage = location?.pathname === pathname;
  const loading = (isReloading && revalidation === "loading") || isLoadingPage;
  const isInFlight = useRef(false);
  isInFlight.current = revalidation === "loading" || isLoadingPage;
  const reload = useCallback(() => {
    setIsReloading(true);
    void revalidate();
  }, [revalidate]);
  const change = useCallback(
    (update: (data: Value) => Value) => {
      setKept((now) => (now.data === undefined ? now : { ...now, data: update(now.data) }));
      // what was read before the change would replace it
      if (isInFlight.current) void revalidate();
    },
    [revalidate],
  );
  const failure = outcome.ok ? undefined : outcome;
  const { data, attempt } = state;
  return { data, attempt, failure, loading, reload, change };
}

function afterLoad<Value>(outcome: Outcome<Value>, at: string, before?: State<Value>): State<Value> {
  const earlier = before?.at === at ? before.data : undefined;
  const data = outcome.ok ? outcome.data : earlier;
  return { outcome, at, attempt: (before?.attempt ?? 0) + 1, data };
}
