/** The answer of one call for a page that only the browser fills. */
import { useCallback, useEffect, useState } from "react";
import type { Answer, CallName, Input } from "../api/contract.ts";
import { call, type Failure } from "./api-client.ts";
import { useSessionEnd } from "./use-session-end.ts";

interface State<Data> {
  phase: "loading" | "ready" | "failed";
  data?: Data;
  /** the cursor of the next page of a list */
  next?: string | undefined;
  failure?: Failure;
}

export interface Asked<Data> extends State<Data> {
  /** asks again; what is shown stays until the answer is there */
  ask: () => Promise<void>;
  /** changes what is shown, after a call that changed it in the store */
  change: (change: (data: Data) => Data, next?: string) => void;
}

/** Makes the call at the first showing and whenever `input` changes; who is no longer signed in goes to /login. */
export function useAnswer<Name extends CallName>(name: Name, input: Input<Name>): Asked<Answer<Name>> {
  type Data = Answer<Name>;
  const [state, setState] = useState<State<Data>>({ phase: "loading" });
  const endSession = useSessionEnd();
  const key = JSON.stringify(input);

  const load = useCallback(
    async (signal?: AbortSignal) => {
      const answer = await call(name, JSON.parse(key) as Input<Name>, signal);
      if (signal?.aborted) return;
      if (answer.ok) return setState({ phase: "ready", data: answer.data, next: answer.next });
      if (answer.status === 401) return endSession();
      setState({ phase: "failed", failure: answer });
    },
    [name, key, endSession],
  );

  useEffect(() => {
    const abort = new AbortController();
    setState({ phase: "loading" });
    load(abort.signal).catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
    return () => abort.abort();
  }, [load]);

  const change = useCallback((how: (data: Data) => Data, next?: string) => {
    setState((now) => (now.data === undefined ? now : { phase: "ready", data: how(now.data), next }));
  }, []);
  const ask = useCallback(() => load(), [load]);
  return { ...state, ask, change };
}
