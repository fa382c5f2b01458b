import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { checkConnection, reportNetworkResult, useConnection } from "../data/connection.ts";
import { useBusy } from "../data/use-busy.ts";
import { focusHeading } from "./focus-heading.ts";

const messages = {
  offline: "You are offline. What you see may be out of date.",
  down: "The store does not respond. What you see may be out of date.",
};

/** Reports a lost connection, and reloads the page's data when it is back. */
export function ConnectionBar() {
  const connection = useConnection();
  const { state } = useNavigation();
  const { revalidate } = useRevalidator();
  const [attempt, setAttempt] = useState(0);
  const [busy, run] = useBusy();
  const wasLost = useRef(false);
  useEffect(reportNetworkResult, []);
  const onReconnect = useEffectEvent(() => {
    setAttempt(0);
    if (document.activeElement === document.body) focusHeading();
    // a waiting navigation continues by itself
    if (state === "idle") void revalidate();
  });
  useEffect(() => {
    if (wasLost.current && connection === "up") onReconnect();
    wasLost.current = connection !== "up";
  }, [connection]);

  async function retry() {
    await checkConnection();
    setAttempt((before) => before + 1);
  }

  const isLost = connection !== "up";
  return (
    <section aria-label="Connection" className={isLost ? "lost no-print" : "vh"}>
      <p role="status">
        {isLost && (
          // a new element per attempt, so that a screen reader repeats the text
          <span key={attempt}>
            {attempt > 0 && "Still no response. "}
            {messages[connection]}
            {state === "loading" && " The page you chose opens when the store responds."}
          </span>
        )}
      </p>
      {isLost && (
        <button
          type="button"
          className="toast__action"
          aria-busy={busy || undefined}
          onClick={() => void run(retry)}
        >
          Try again
        </button>
      )}
    </section>
  );
}
