import type { Output } from "../../../../api/contract.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { ActionButton } from "../../../components/action-button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count } from "../../../components/format.ts";
import { Panel } from "../../../components/panel.tsx";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { toast } from "../../../components/toast.ts";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { call } from "../../../data/api-client.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";

type FailedEmailRow = Output<"listFailedEmails">["mails"][number];

interface FailedEmailsProps {
  outcome: Outcome<Output<"listFailedEmails">>;
  showEmpty?: boolean;
}

/** Emails that the SMTP server rejected. Renders nothing if there are none, unless `showEmpty`. */
export function FailedEmails({ outcome, showEmpty = false }: FailedEmailsProps) {
  const loaded = useLoaderResult(outcome);
  const heading = useFocusAfterRemoval(loaded.data?.mails.map(({ id }) => id).join() ?? "");
  if (!showEmpty && !loaded.data?.mails.length) return null;
  return (
    <QueryBoundary loaded={loaded}>
      {({ mails: emails }) =>
        emails.length > 0 ? (
          <Panel title="Failed" className="undelivered" headingRef={heading}>
            <ul className="rows rows--acts">
              {emails.map((email) => (
                <FailedEmail key={email.id} email={email} onRetried={loaded.reload} />
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

function FailedEmail({ email, onRetried }: { email: FailedEmailRow; onRetried: () => void }) {
  const kind = kindLabel(email.kind);

  async function retry() {
    const response = await call("retryEmail", { params: { job: email.id } });
    if (response.ok) toast.success("The email is being sent again.");
    else toast.error(response.detail);
    onRetried();
  }

  return (
    <li className="row">
      <div className="row__k">
        <b>{email.to ?? kind}</b>
        <span className="row__saved">
          {email.to && `${kind}. `}
          {email.problem}. Tried {email.tries === 1 ? "once" : `${count(email.tries)} times`},{" "}
          {email.nextTry ? (
            <>
              next <DateTime time at={email.nextTry} />
            </>
          ) : (
            "no more attempts"
          )}
        </span>
      </div>
      <div className="row__f">
        <ActionButton size="sm" onClick={retry} aria-label={`Try again, email to ${email.to ?? kind}`}>
          Try again
        </ActionButton>
      </div>
    </li>
  );
}

/** "purchasePaid" is "Purchase paid". */
function kindLabel(kind: string): string {
  const label = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return label.charAt(0).toUpperCase() + label.slice(1);
}
