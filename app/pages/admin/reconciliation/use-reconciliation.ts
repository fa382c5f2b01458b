import { useEffect, useRef, useState } from "react";
import type { Output } from "../../../../api/contract.ts";
import type { Failure, Outcome } from "../../../../api/outcome.ts";
import { call } from "../../../data/api-client.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";

/** Pause after an attempt without a response. */
const RETRY_AFTER_MS = 2000;

/** Offline, timed out, rate limited or unavailable: retried, since the report itself did not fail. */
const TRANSIENT_STATUSES = [0, 408, 429, 503];

/** Shows the last report at once, and the new one when it is complete. After a failure the admin has to retry. */
export function useReconciliation(outcome: Outcome<Output<"reconcile">>) {
  const report = useLoaderResult(outcome);
  const { data, change, loading } = report;
  const pauseMs = useRef(0);
  const [failed, setFailed] = useState<{ requestedAt: string; failure: Failure }>();

  useEffect(() => {
    if (!data?.running) return;
    const controller = new AbortController();
    const poll = async () => {
      const response = await call("reconcile", { query: { since: data.asked } }, controller.signal);
      if (controller.signal.aborted) return;
      pauseMs.current = 0;
      if (response.ok) return change(() => response.data);
      const isTransient = TRANSIENT_STATUSES.includes(response.status);
      pauseMs.current = isTransient ? RETRY_AFTER_MS : 0;
      if (!isTransient) setFailed({ requestedAt: data.asked, failure: response });
      // new data runs this effect again
      change((current) => ({ ...current, running: isTransient }));
    };
    const timer = setTimeout(() => void poll().catch(() => undefined), pauseMs.current);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [data, change]);
  const isCurrent = !loading && failed?.requestedAt === data?.asked;
  return { ...report, failure: (isCurrent && failed?.failure) || report.failure };
}
