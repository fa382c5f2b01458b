import { Link } from "react-router";
import type { Answer } from "../../../../api/contract.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count } from "../../../components/format.ts";
import { ListView } from "../../../components/list-view.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { PAGES, Pager } from "../../../components/pager.tsx";
import { SkipTo } from "../../../components/skip-to.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { type Caller, pageConfig } from "../../../data/loader-context.ts";
import { type ListParams, useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import type { Route } from "./+types/emails.ts";
import { EmailView } from "./email-view.tsx";
import { FailedEmails } from "./failed-emails.tsx";

export const meta = () => pageTitle("Emails");

export async function loader({ context, url }: Route.LoaderArgs) {
  const { ask } = callerIn(context);
  const [troubled, kept] = await Promise.all([
    ask("listFailedEmails", {}),
    context.get(pageConfig).keepsMails ? outboxEmails(ask, queryOf(url)) : null,
  ]);
  return { troubled, kept };
}

/** One page of the list, and the mail that is open: the first, unless the address names another. */
async function outboxEmails(ask: Caller["ask"], { get }: Pick<ListParams, "get">) {
  const mails = await ask("listMails", { query: { cursor: get("cursor") } });
  const id = get("mail") ?? (mails.ok ? mails.data.mails[0]?.id : undefined);
  return { mails, mail: id === undefined ? null : await ask("findMail", { params: { id } }) };
}

type Kept = NonNullable<Awaited<ReturnType<typeof loader>>["kept"]>;

/** The mails that did not leave; and those that a store without an SMTP server keeps instead of sending. */
export default function EmailsPage({ loaderData: { troubled, kept } }: Route.ComponentProps) {
  if (kept) {
    return (
      <>
        <PageHead
          title="Emails"
          fact="This store has no mail server. Emails are kept here instead of being sent."
        />
        <FailedEmails outcome={troubled} />
        <OutboxEmails kept={kept} />
      </>
    );
  }
  return (
    <>
      <PageHead title="Emails" fact="Rejected emails are listed here." />
      <FailedEmails outcome={troubled} alone />
    </>
  );
}

function OutboxEmails({ kept }: { kept: Kept }) {
  const address = useListParams();
  const cursor = address.get("cursor");
  const mails = useLoaderResult(kept.mails);
  const open = address.get("mail");
  return (
    <ListView
      loaded={mails}
      isEmpty={(data) => data.mails.length === 0}
      empty={
        <EmptyState
          title="No emails yet"
          action={cursor ? <ButtonLink to="/dashboard/emails">Newest emails</ButtonLink> : undefined}
        >
          Emails appear here.
        </EmptyState>
      }
      news={(data) => `${count(data.mails.length)} of ${count(data.all)} emails`}
    >
      {(data) => (
        <div className={open ? "mails is-open" : "mails"}>
          <div className="mails__list">
            {(cursor || data.next) && <SkipTo id={PAGES}>Skip to pagination</SkipTo>}
            <EmailList
              mails={data.mails}
              open={open ?? data.mails[0]?.id}
              address={address}
              cursor={cursor}
            />
            <Pager
              previous={cursor && "/dashboard/emails"}
              previousLabel="Newest"
              next={data.next && address.to({ cursor: data.next, mail: undefined })}
            />
          </div>
          {kept.mail && <EmailView outcome={kept.mail} back={address.to({ mail: undefined, cursor })} />}
        </div>
      )}
    </ListView>
  );
}

interface MailListProps {
  mails: Answer<"listMails">["mails"];
  open: string | undefined;
  address: ListParams;
  cursor: string | undefined;
}

function EmailList({ mails, open, address, cursor }: MailListProps) {
  return (
    <ol className="mails__items" aria-label="Emails, newest first">
      {mails.map((mail) => (
        <li key={mail.id}>
          <Link
            to={address.to({ mail: mail.id, cursor })}
            aria-current={mail.id === open || undefined}
            preventScrollReset
          >
            <b>{mail.subject}</b>
            <span className="cell-2">
              {mail.to}
              <DateTime at={mail.sentAt} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
