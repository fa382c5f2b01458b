import { useEffect, useRef, useState } from "react";
import type { Answer } from "../../../../api/contract.ts";
import type { Failure, Outcome } from "../../../../api/outcome.ts";
import { call } from "../../../data/api-client.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";

/** before the next try, where one got no answer */
const RETRY_AFTER_MS = 2000;

/** No connection, or asked too often or too much: no answer about the report itself. */
const PASSING = [0, 408, 429, 503];

/**
 * The reconciliation report: the last one at once, and the new one as soon as it is complete. A report that fails is
 * requested again by the admin.
 */
export function useReconciliation(outcome: Outcome<Answer<"reconcile">>) {
  const report = useLoaderResult(outcome);
  const { data, change, loading } = report;
  const pauseMs = useRef(0);
  const [failed, setFailed] = useState<{ asked: string; failure: Failure }>();

  useEffect(() => {
    if (!data?.running) return;
    const abort = new AbortController();
    const askAgain = async () => {
      const answer = await call("reconcile", { query: { since: data.asked } }, abort.signal);
      if (abort.signal.aborted) return;
      pauseMs.current = 0;
      if (answer.ok) return change(() => answer.data);
      const passes = PASSING.includes(answer.status);
      pauseMs.current = passes ? RETRY_AFTER_MS : 0;
      if (!passes) setFailed({ asked: data.asked, failure: answer });
      // without an answer it is asked for again
      change((now) => ({ ...now, running: passes }));
    };
    const timer = setTimeout(() => void askAgain().catch(() => undefined), pauseMs.current);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [data, change]);
  const isOfThis = !loading && failed?.asked === data?.asked;
  return { ...report, failure: (isOfThis && failed?.failure) || report.failure };
}
