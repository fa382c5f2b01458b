import { useEffect, useState } from "react";
import { call, type Failure } from "../../api-client.ts";
import { useCall } from "../../use-call.ts";

const AGAIN_AFTER_MS = 2000;

/** No connection, or asked too often or too much: no answer about the report itself. */
const PASSING = [0, 408, 429, 503];

/**
 * The report on the books; while one is being made the last is shown, and replaced as soon as it is there. One that
 * cannot be made is a failure, and is asked for again when somebody wants it.
 */
export function useBooks() {
  const books = useCall("checkBooks", { query: {} });
  const { data, change, loading } = books;
  const [failed, setFailed] = useState<{ asked: string; failure: Failure }>();

  useEffect(() => {
    if (!data?.running) return;
    const abort = new AbortController();
    const askAgain = async () => {
      const answer = await call("checkBooks", { query: { since: data.asked } }, abort.signal);
      if (abort.signal.aborted) return;
      if (answer.ok) return change(() => answer.data);
      const passes = PASSING.includes(answer.status);
      if (!passes) setFailed({ asked: data.asked, failure: answer });
      // what passes is asked again by itself
      change((now) => ({ ...now, running: passes }));
    };
    const timer = setTimeout(() => void askAgain().catch(() => undefined), AGAIN_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [data, change]);
  const isOfThis = !loading && failed?.asked === data?.asked;
  return { ...books, failure: (isOfThis && failed?.failure) || books.failure };
}
