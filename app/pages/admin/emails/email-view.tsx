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
  const observer = useRef<ResizeObserver>(null);
  useEffect(() => () => observer.current?.disconnect(), []);

  /** The height depends on the width, which changes when a phone is turned or a window resized. */
  function trackHeight(root: HTMLElement) {
    observer.current?.disconnect();
    observer.current = new ResizeObserver(() => setHeight(Math.ceil(root.getBoundingClientRect().height)));
    observer.current.observe(root);
  }

  return (
    <iframe
      className="email__frame"
      title={`Email: ${subject}`}
      src={`/outbox/${encodeURIComponent(id)}/page`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      height={height}
      onLoad={({ currentTarget }) => {
        const root = currentTarget.contentDocument?.documentElement;
        if (root) trackHeight(root);
      }}
    />
  );
}
