import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { Output } from "../../../../api/contract.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { DateTime } from "../../../components/date-time.tsx";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { SegmentedControl } from "../../../components/segmented-control.tsx";
import { useLoaderResult } from "../../../data/use-loader-result.ts";

const parts = [
  ["page", "As sent"],
  ["text", "Text"],
] as const;

export function EmailView({ outcome, back }: { outcome: Outcome<Output<"findMail">>; back: string }) {
  return (
    <div className="email">
      <QueryBoundary loaded={useLoaderResult(outcome)}>
        {(email) => <LoadedEmail email={email} back={back} />}
      </QueryBoundary>
    </div>
  );
}

function LoadedEmail({ email, back }: { email: Output<"findMail">; back: string }) {
  const [part, setPart] = useState<"page" | "text">("page");
  return (
    <article aria-label={email.subject}>
      <Link className="link email__back" to={back}>
        All emails
      </Link>
      <div className="email__hd">
        <h2 className="t-h3">{email.subject}</h2>
        <p className="cell-2">
          To {email.to}, <DateTime time at={email.sentAt} />
        </p>
        {email.hides && (
          <p className="soft">
            A link that gives access to an account is hidden here. It works only in the email file in the
            store's data folder.
          </p>
        )}
        <SegmentedControl label="Part of the email" items={parts} value={part} onChoose={setPart} />
      </div>
      {part === "text" ? (
        <pre className="email__text">{email.text}</pre>
      ) : (
        <EmailFrame key={email.id} id={email.id} subject={email.subject} />
      )}
    </article>
  );
}

const FIRST_HEIGHT = 240;

/** The email in a sandboxed frame as high as its content: no scripts run, links open in a new tab. */
function EmailFrame({ id, subject }: { id: string; subject: string }) {
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const frame = useRef<HTMLIFrameElement>(null);

  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const events = new AbortController();
    // the height depends on the width, which changes when a phone is turned or a window resized
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setHeight(Math.ceil(entry.target.getBoundingClientRect().height));
    });
    const observe = () => {
      observer.disconnect();
      // a document of which nothing has arrived has no root element; "load" follows
      const { URL, documentElement: root } = current.contentDocument ?? {};
      if (root && URL !== "about:blank") observer.observe(root);
    };
    observe(); // the frame may have loaded before this script
    current.addEventListener("load", observe, events);
    return () => {
      events.abort();
      observer.disconnect();
    };
  }, []);

  return (
    <iframe
      ref={frame}
      className="email__frame"
      title={`Email: ${subject}`}
      src={`/outbox/${encodeURIComponent(id)}/page`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      height={height}
    />
  );
}
