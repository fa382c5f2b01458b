import { useEffect, useRef, useState } from "react";
import type { Output } from "../../../../api/contract.ts";
import type { Failure, Outcome } from "../../../../api/outcome.ts";
import { call } from "../../../data/api-client.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";

/** before the next attempt, after one without a response */
const RETRY_AFTER_MS = 2000;

/** Offline or rate limited: no statement about the report itself. */
const TRANSIENT_STATUSES = [0, 408, 429, 503];

/** Shows the last report at once, and the new one when it is complete. After a failed one the admin has to retry. */
export function useReconciliation(outcome: Outcome<Output<"reconcile">>) {
  const report = useLoaderResult(outcome);
  const { data, change, loading } = report;
  const pauseMs = useRef(0);
  const [failed, setFailed] = useState<{ asked: string; failure: Failure }>();

  useEffect(() => {
    if (!data?.running) return;
    const abort = new AbortController();
    const askAgain = async () => {
      const response = await call("reconcile", { query: { since: data.asked } }, abort.signal);
      if (abort.signal.aborted) return;
      pauseMs.current = 0;
      if (response.ok) return change(() => response.data);
      const isTransient = TRANSIENT_STATUSES.includes(response.status);
      pauseMs.current = isTransient ? RETRY_AFTER_MS : 0;
      if (!isTransient) setFailed({ asked: data.asked, failure: response });
      // without a response it is requested again
      change((now) => ({ ...now, running: isTransient }));
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
