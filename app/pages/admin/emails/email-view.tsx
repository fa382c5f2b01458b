import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import type { Answer } from "../../../../api/contract.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { DateTime } from "../../../components/date-time.tsx";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { SegmentedControl } from "../../../components/segmented-control.tsx";
import { useLoaderResult } from "../../../data/use-loader-result.ts";

const parts = [
  ["page", "As sent"],
  ["text", "Text"],
] as const;

/** One mail, as its reader sees it, or its text part. */
export function EmailView({ outcome, back }: { outcome: Outcome<Answer<"findMail">>; back: string }) {
  return (
    <div className="mail">
      <QueryBoundary loaded={useLoaderResult(outcome)}>
        {(mail) => <Opened mail={mail} back={back} />}
      </QueryBoundary>
    </div>
  );
}

function Opened({ mail, back }: { mail: Answer<"findMail">; back: string }) {
  const [part, setPart] = useState<"page" | "text">("page");
  return (
    <article aria-label={mail.subject}>
      <Link className="link mail__back" to={back}>
        All emails
      </Link>
      <div className="mail__hd">
        <h2 className="t-h3">{mail.subject}</h2>
        <p className="cell-2">
          To {mail.to}, <DateTime time at={mail.sentAt} />
        </p>
        {mail.hides && (
          <p className="soft">
            A link that gives access to an account is hidden here. It works only in the email file in the
            store's data folder.
          </p>
        )}
        <SegmentedControl label="Part of the email" items={parts} value={part} onChoose={setPart} />
      </div>
      {part === "text" ? (
        <pre className="mail__text">{mail.text}</pre>
      ) : (
        <EmailFrame key={mail.id} id={mail.id} subject={mail.subject} />
      )}
    </article>
  );
}

const FIRST_HEIGHT = 240;

/** The mail in a frame of its own: nothing in it runs, its links open beside; the frame is as high as the mail. */
function EmailFrame({ id, subject }: { id: string; subject: string }) {
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const measure = useRef<ResizeObserver>(null);
  useEffect(() => () => measure.current?.disconnect(), []);

  /** A mail in a narrower window is longer: a phone is turned, a window drawn. */
  function follow(page: HTMLElement) {
    measure.current?.disconnect();
    measure.current = new ResizeObserver(() => setHeight(Math.ceil(page.getBoundingClientRect().height)));
    measure.current.observe(page);
  }

  return (
    <iframe
      className="mail__frame"
      title={`Email: ${subject}`}
      src={`/outbox/${encodeURIComponent(id)}/page`}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      height={height}
      onLoad={({ currentTarget }) => {
        const page = currentTarget.contentDocument?.documentElement;
        if (page) follow(page);
      }}
    />
  );
}
