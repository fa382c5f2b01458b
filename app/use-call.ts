import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, CallName, Input } from "../api/contract.ts";
import { call, type Failure } from "./api-client.ts";
import { useSessionEnd } from "./use-session-end.ts";

export interface Called<Value> {
  /** the last good answer; while another is on its way, still the one before */
  data: Value | undefined;
  failure: Failure | undefined;
  loading: boolean;
  reload: () => void;
  /** changes what is shown before, or instead of, asking again */
  change: (how: (data: Value) => Value) => void;
}

interface State<Value> {
  data?: Value;
  failure?: Failure;
  /** the input that this answers */
  key?: string;
}

/** A reading call of the contract, made when its input changes. Whoever is no longer signed in goes to /login. */
export function useCall<Name extends CallName>(name: Name, input: Input<Name>): Called<Answer<Name>> {
  const key = JSON.stringify(input);
  const [state, setState] = useState<State<Answer<Name>>>({});
  const [turn, setTurn] = useState(0);
  const endSession = useRef<() => Promise<void>>(undefined);
  endSession.current = useSessionEnd();

  useEffect(() => {
    const stop = new AbortController();
    const asked = `${turn} ${key}`;
    call(name, JSON.parse(key) as Input<Name>, stop.signal).then(
      (outcome) => {
        if (stop.signal.aborted) return;
        if (outcome.ok) return setState({ data: outcome.data, key: asked });
        if (outcome.status === 401) return void endSession.current?.();
        setState((before) => ({ ...before, failure: outcome, key: asked }));
      },
      (error) => {
        if (!stop.signal.aborted) throw error;
      },
    );
    return () => stop.abort();
  }, [name, key, turn]);

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const change = useCallback(
    (how: (data: Answer<Name>) => Answer<Name>) =>
      setState((before) => (before.data ? { ...before, data: how(before.data) } : before)),
    [],
  );
  const loading = state.key !== `${turn} ${key}`;
  return { data: state.data, failure: loading ? undefined : state.failure, loading, reload, change };
}
