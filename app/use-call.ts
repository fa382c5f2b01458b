/** What a reading call of the contract answers, for a page that only the browser fills. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, CallName, Input } from "../api/contract.ts";
import { call, type Failure, type Outcome } from "./api-client.ts";
import { useSessionEnd } from "./use-session-end.ts";

interface Page<Value> {
  /** the last good answer; while another is on its way, still the one before; none where another input failed */
  data: Value | undefined;
  /** the cursor of the next page of a plain list */
  next: string | undefined;
}

export interface Called<Value> extends Page<Value> {
  /** why the last answer is none; undefined while another is on its way */
  failure: Failure | undefined;
  loading: boolean;
  reload: () => void;
  /** changes what is shown before, or instead of, asking again; `next` only where it is given, null for none */
  change: (how: (data: Value) => Value, next?: string | null) => void;
}

interface State<Value> extends Page<Value> {
  failure: Failure | undefined;
  /** which asking this answers */
  answers: string | undefined;
  /** the input that `data` answers */
  of: string | undefined;
}

/** Makes the call at first showing and whenever its input changes. Whoever is no longer signed in goes to /login. */
export function useCall<Name extends CallName>(name: Name, input: Input<Name>): Called<Answer<Name>> {
  const key = JSON.stringify(input);
  const ask = (signal: AbortSignal) => call(name, JSON.parse(key) as Input<Name>, signal);
  return useOutcome<Answer<Name>>(`${name} ${key}`, ask);
}

/** Asks whenever `key` changes. */
function useOutcome<Value>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Outcome<Value>>,
): Called<Value> {
  const [state, setState] = useState<State<Value>>({
    data: undefined,
    next: undefined,
    failure: undefined,
    answers: undefined,
    of: undefined,
  });
  const [turn, setTurn] = useState(0);
  const asking = `${turn} ${key}`;
  const endSession = useSessionEnd();
  const latest = useRef({ ask, endSession });
  latest.current = { ask, endSession };

  useEffect(() => {
    const stop = new AbortController();
    latest.current.ask(stop.signal).then(
      (answer) => {
        if (stop.signal.aborted) return;
        if (answer.ok)
          return setState({
            data: answer.data,
            next: answer.next,
            failure: undefined,
            answers: asking,
            of: key,
          });
        if (answer.status === 401) return void latest.current.endSession();
        setState((before) => ({ ...before, failure: answer, answers: asking }));
      },
      (error) => {
        if (!stop.signal.aborted) throw error;
      },
    );
    return () => stop.abort();
  }, [asking]);

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const change = useCallback(
    (how: (data: Value) => Value, next?: string | null) =>
      setState((now) => {
        if (now.data === undefined) return now;
        return { ...now, data: how(now.data), next: next === undefined ? now.next : (next ?? undefined) };
      }),
    [],
  );
  const loading = state.answers !== asking;
  const failure = loading ? undefined : state.failure;
  const data = failure && state.of !== key ? undefined : state.data;
  return { data, next: state.next, failure, loading, reload, change };
}
