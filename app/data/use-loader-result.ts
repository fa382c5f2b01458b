/** What a page's loader asked of the store, with the ways to load it again and to change what is shown meanwhile. */
import { useCallback, useState } from "react";
import { useLocation, useNavigation, useRevalidator } from "react-router";
import type { Failure, Outcome } from "../../api/outcome.ts";

export interface LoaderResult<Value> {
  /** the last good answer for this address; it stays when loading it again fails */
  data: Value | undefined;
  /** the cursor of the next page of a plain list */
  next: string | undefined;
  /** why the last load failed */
  failure: Failure | undefined;
  /** another number after each load */
  turn: number;
  /** the person waits for it: after a filter or `reload`, not while it is loaded again in the background */
  loading: boolean;
  reload: () => void;
  /** changes what is shown, until it is loaded again */
  change: (how: (data: Value) => Value) => void;
}

interface State<Value> {
  outcome: Outcome<Value>;
  at: string;
  turn: number;
  data: Value | undefined;
  next: string | undefined;
}

export function useLoaderResult<Value>(outcome: Outcome<Value>): LoaderResult<Value> {
  const { pathname, search } = useLocation();
  const { location } = useNavigation();
  const { revalidate, state: revalidation } = useRevalidator();
  const at = pathname + search;
  const [kept, setKept] = useState<State<Value>>(() => afterLoad(outcome, at));
  const [asked, setAsked] = useState(false);
  let state = kept;
  if (outcome !== kept.outcome) {
    state = afterLoad(outcome, at, kept);
    setKept(state);
    setAsked(false);
  }
  const loading = (asked && revalidation === "loading") || location?.pathname === pathname;
  const reload = useCallback(() => {
    setAsked(true);
    void revalidate();
  }, [revalidate]);
  const change = useCallback(
    (how: (data: Value) => Value) =>
      setKept((now) => (now.data === undefined ? now : { ...now, data: how(now.data) })),
    [],
  );
  const failure = outcome.ok ? undefined : outcome;
  const { data, next, turn } = state;
  return { data, next, turn, failure, loading, reload, change };
}

function afterLoad<Value>(outcome: Outcome<Value>, at: string, before?: State<Value>): State<Value> {
  const turn = (before?.turn ?? 0) + 1;
  if (outcome.ok) return { outcome, at, turn, data: outcome.data, next: outcome.next };
  if (before?.at === at) return { ...before, outcome, turn };
  return { outcome, at, turn, data: undefined, next: undefined };
}
