import { useState } from "react";
import type { Answer } from "../../../../api/contract.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { Button } from "../../../components/button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count } from "../../../components/format.ts";
import { Panel } from "../../../components/panel.tsx";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";

type FailedEmailRow = Answer<"listFailedEmails">["mails"][number];

interface FailedEmailsProps {
  outcome: Outcome<Answer<"listFailedEmails">>;
  alone?: boolean;
}

/** The emails that the mail server rejected. Renders nothing when there are none, unless `alone`. */
export function FailedEmails({ outcome, alone = false }: FailedEmailsProps) {
  const loaded = useLoaderResult(outcome);
  if (!alone && !loaded.data?.mails.length) return null;
  return (
    <QueryBoundary loaded={loaded}>
      {({ mails }) =>
        mails.length > 0 ? (
          <Panel title="Failed" className="undelivered">
            <ul className="rows rows--acts">
              {mails.map((mail) => (
                <FailedEmail key={mail.id} mail={mail} onTried={loaded.reload} />
              ))}
            </ul>
          </Panel>
        ) : (
          <div className="panel">
            <EmptyState title="All emails delivered">Rejected emails are listed here.</EmptyState>
          </div>
        )
      }
    </QueryBoundary>
  );
}

function FailedEmail({ mail, onTried }: { mail: FailedEmailRow; onTried: () => void }) {
  const [trying, setTrying] = useState(false);
  const named = errorLabel(mail.kind);

  async function tryAgain() {
    setTrying(true);
    const answer = await call("retryEmail", { params: { job: mail.id } });
    setTrying(false);
    if (answer.ok) toast.success("The email is being sent again.");
    else toast.error(answer.detail);
    onTried();
  }

  return (
    <li className="row">
      <div className="row__k">
        <b>{mail.to ?? named}</b>
        <span className="row__saved">
          {mail.to && `${named}. `}
          {mail.problem}. Tried {mail.tries === 1 ? "once" : `${count(mail.tries)} times`},{" "}
          {mail.nextTry ? (
            <>
              next <DateTime time at={mail.nextTry} />
            </>
          ) : (
            "no more attempts"
          )}
        </span>
      </div>
      <div className="row__f">
        <Button
          size="sm"
          busy={trying}
          onClick={() => void tryAgain()}
          aria-label={`Try again, email to ${mail.to ?? named}`}
        >
          Try again
        </Button>
      </div>
    </li>
  );
}

/** "purchasePaid" is "Purchase paid". */
function errorLabel(kind: string): string {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
