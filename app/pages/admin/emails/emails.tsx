import { Link } from "react-router";
import { ButtonLink } from "../../../components/button.tsx";
import { countUpTo } from "../../../components/count-up-to.ts";
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
import { ExportLink } from "../export-link.tsx";
import type { Route } from "./+types/emails.ts";
import { EmailView } from "./email-view.tsx";
import { FailedEmails } from "./failed-emails.tsx";

export const meta = () => pageTitle("Emails");

export async function loader({ context, url }: Route.LoaderArgs) {
  const caller = callerIn(context);
  const [failed, kept] = await Promise.all([
    caller.call("listFailedEmails", {}),
    context.get(pageConfig).keepsEmails ? loadOutbox(caller, queryOf(url)) : null,
  ]);
  return { failed, kept };
}

/** A page of the list, and the open email: the one in the URL, or the first. */
async function loadOutbox(caller: Caller, { get }: Pick<ListParams, "get">) {
  const emails = await caller.call("listEmails", { query: { cursor: get("cursor") } });
  const id = get("mail") ?? (emails.ok ? emails.data.mails[0]?.id : undefined);
  return { emails, email: id === undefined ? null : await caller.call("findMail", { params: { id } }) };
}

type Outbox = NonNullable<Awaited<ReturnType<typeof loader>>["kept"]>;

/** Failed emails, and the outbox of a store without an SMTP server. */
export default function EmailsPage({ loaderData: { failed, kept: outbox } }: Route.ComponentProps) {
  if (outbox) {
    return (
      <>
        <PageHead
          title="Emails"
          fact="This store has no mail server. Emails are kept here instead of being sent."
          action={<ExportLink path="/outbox/export.csv" />}
        />
        <FailedEmails outcome={failed} />
        <OutboxEmails outbox={outbox} />
      </>
    );
  }
  return (
    <>
      <PageHead title="Emails" fact="Rejected emails are listed here." />
      <FailedEmails outcome={failed} showEmpty />
    </>
  );
}

function OutboxEmails({ outbox }: { outbox: Outbox }) {
  const params = useListParams();
  const cursor = params.get("cursor");
  const emails = useLoaderResult(outbox.emails);
  const openId = params.get("mail");
  return (
    <ListView
      loaded={emails}
      isEmpty={(data) => data.mails.length === 0}
      empty={
        <EmptyState
          title="No emails yet"
          action={cursor ? <ButtonLink to="/dashboard/emails">Newest emails</ButtonLink> : undefined}
        >
          Emails appear here.
        </EmptyState>
      }
      announcement={(data) => `${count(data.mails.length)} of ${countUpTo(data.all, data.countLimit)} emails`}
    >
      {(data) => (
        <div className={openId ? "emails is-open" : "emails"}>
          <div className="emails__list">
            {(cursor || data.next) && <SkipTo id={PAGES}>Skip to pagination</SkipTo>}
            <ol className="emails__items" aria-label="Emails, newest first">
              {data.mails.map((email, index) => (
                <li key={email.id}>
                  <Link
                    to={params.to({ mail: email.id, cursor })}
                    aria-current={(openId ? email.id === openId : index === 0) || undefined}
                    preventScrollReset
                  >
                    <b>{email.subject}</b>
                    <span className="cell-2">
                      {email.to}
                      <DateTime at={email.sentAt} />
                    </span>
                  </Link>
                </li>
              ))}
            </ol>
            <Pager
              previous={cursor && "/dashboard/emails"}
              previousLabel="Newest"
              next={data.next && params.to({ cursor: data.next, mail: undefined })}
            />
          </div>
          {outbox.email && <EmailView outcome={outbox.email} back={params.to({ mail: undefined, cursor })} />}
        </div>
      )}
    </ListView>
  );
}
