import { useEffect } from "react";
import { call } from "../../api-client.ts";
import { useCall } from "../../use-call.ts";

const AGAIN_AFTER_MS = 2000;

/** The report on the books; while one is being made the last is shown, and replaced as soon as it is there. */
export function useBooks() {
  const books = useCall("checkBooks", { query: {} });
  const { data, change } = books;

  useEffect(() => {
    if (!data?.running) return;
    const abort = new AbortController();
    const askAgain = async () => {
      const answer = await call("checkBooks", { query: { since: data.asked } }, abort.signal);
      // no answer is no report; the next try comes by itself
      if (!abort.signal.aborted) change((now) => (answer.ok ? answer.data : { ...now }));
    };
    const timer = setTimeout(() => void askAgain().catch(() => undefined), AGAIN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [data, change]);
  return books;
}
