/** The data of a page's loader, with functions to reload it and to change what is shown meanwhile. */
import { useCallback, useState } from "react";
import { useLocation, useNavigation, useRevalidator } from "react-router";
import type { Failure, Outcome } from "../../api/outcome.ts";

export interface LoaderResult<Value> {
  /** the last successful data for this URL; kept if a reload fails */
  data: Value | undefined;
  next: string | undefined;
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
  next: string | undefined;
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
  const loading = (isReloading && revalidation === "loading") || location?.pathname === pathname;
  const reload = useCallback(() => {
    setIsReloading(true);
    void revalidate();
  }, [revalidate]);
  const change = useCallback(
    (update: (data: Value) => Value) =>
      setKept((now) => (now.data === undefined ? now : { ...now, data: update(now.data) })),
    [],
  );
  const failure = outcome.ok ? undefined : outcome;
  const { data, next, attempt } = state;
  return { data, next, attempt, failure, loading, reload, change };
}

function afterLoad<Value>(outcome: Outcome<Value>, at: string, before?: State<Value>): State<Value> {
  const attempt = (before?.attempt ?? 0) + 1;
  if (outcome.ok) return { outcome, at, attempt, data: outcome.data, next: outcome.next };
  if (before?.at === at) return { ...before, outcome, attempt };
  return { outcome, at, attempt, data: undefined, next: undefined };
}
