import { useState } from "react";
import type { User } from "../../../../api/entities.ts";
import { labels, messages } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { Badge } from "../../../components/chip.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Actions, type Column } from "../../../components/table.tsx";
import { toast } from "../../../components/toast.ts";
import { useLast } from "../../../components/use-last.ts";
import { call } from "../../../data/api-client.ts";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { useDashboard } from "../../dashboard/dashboard-layout.tsx";
import { callerIn, listQuery } from "../../dashboard/require-session.ts";
import { ListPage, useList } from "../list-page.tsx";
import { useRefusalToast } from "../use-refusal-toast.ts";
import type { Route } from "./+types/make-admin.ts";
import { CloseAccountDialog, type ListedUser } from "./close-account.tsx";

export const meta = () => pageTitle("Make Admin");

function readSearch({ get }: Pick<ListParams, "get">) {
  return { q: get("q"), role: oneOf(get("role"), ["admin"]) };
}

/** Make Admin (specification, section 4): grants the role, which ends only with the account. */
export async function loader({ context, url }: Route.LoaderArgs) {
  return { users: await callerIn(context).call("searchUsers", { query: listQuery(url, readSearch) }) };
}

export default function MakeAdminPage({ loaderData }: Route.ComponentProps) {
  const list = useList(loaderData.users, readSearch);
  const { user } = useDashboard();
  const [promoting, setPromoting] = useState<User | null>(null);
  const [closing, setClosing] = useState<ListedUser | null>(null);
  const counts = list.loaded.data?.counts;

  return (
    <>
      <ListPage
        {...list}
        title={labels.menu.makeAdmin}
        fact="An admin can manage orders, tools and roles. The role cannot be taken back: close the account of an admin who leaves."
        exportPath="/admin/users/export.csv"
        searchField={{ label: "Search users", placeholder: "Name or email" }}
        tabs={{
          label: "Role",
          name: "role",
          items: [
            [undefined, "All", counts?.all],
            ["admin", "Admins", counts?.admin],
          ],
        }}
        rows={(data) => data.users}
        noun="users"
        caption="Users"
        className="tbl--users"
        rowKey={({ email }) => email}
        columns={userColumns(user.email, setPromoting, setClosing)}
        noMatches={{
          title: "No matching users",
          showAll: "Show all users",
          drawing: false,
          children: "Search for a part of the name or the email. Users who never signed in are not listed.",
        }}
      />
      <MakeAdminDialog user={promoting} onClose={() => setPromoting(null)} onDone={list.loaded.reload} />
      <CloseAccountDialog user={closing} onClose={() => setClosing(null)} onDone={list.loaded.reload} />
    </>
  );
}

function userColumns(
  ownEmail: string,
  onPromote: (user: User) => void,
  onClose: (user: ListedUser) => void,
): Column<ListedUser>[] {
  return [
    {
      heading: "Email",
      kind: "lead",
      cell: (user) => (
        <>
          <b>{user.email}</b>
          {user.name !== user.email && <span className="cell-2">{user.name}</span>}
        </>
      ),
    },
    {
      heading: "Role",
      cell: ({ role, closed }) => (
        <Badge strong={role === "admin"}>{role === "admin" ? "Admin" : closed ? "Closed" : "User"}</Badge>
      ),
    },
    {
      heading: "Email status",
      cell: ({ emailVerified }) => (emailVerified ? "Confirmed" : <Badge>Not confirmed</Badge>),
    },
    {
      heading: "Action",
      kind: "action",
      cell: (user) =>
        user.email === ownEmail ? null : (
          <Actions>
            {!user.closed && user.role !== "admin" && (
              <Button
                size="sm"
                onClick={() => onPromote(user)}
                aria-label={`${labels.menu.makeAdmin}, ${user.email}`}
              >
                {labels.menu.makeAdmin}
              </Button>
            )}
            <Button
              size="sm"
              look="quiet"
              onClick={() => onClose(user)}
              aria-label={`${user.closed ? "Open account" : "Close account"}, ${user.email}`}
            >
              {user.closed ? "Open account" : "Close account"}
            </Button>
          </Actions>
        ),
    },
  ];
}

interface MakeAdminDialogProps {
  user: User | null;
  onClose: () => void;
  onDone: () => void;
}

/** Confirms once, and again if the email is unconfirmed according to the list or the server. */
function MakeAdminDialog({ user, onClose, onDone }: MakeAdminDialogProps) {
  const shownUser = useLast(user);
  const [unconfirmed, setUnconfirmed] = useState<User | null>(null);
  const shownUnconfirmed = useLast(unconfirmed);
  const showRefusal = useRefusalToast();

  async function promote(candidate: User, confirmUnconfirmed: boolean) {
    const { email, emailVerified } = candidate;
    if (!emailVerified && !confirmUnconfirmed) return setUnconfirmed(candidate);
    const outcome = await call("makeAdmin", { params: { email }, body: { confirmUnconfirmed } });
    if (!outcome.ok && outcome.fields?.confirmUnconfirmed) return setUnconfirmed(candidate);
    if (!outcome.ok) showRefusal(outcome);
    else if (outcome.data.modifiedCount > 0) toast.success(messages.admin.made);
    else toast.info(`${email} is an admin already.`);
    onDone();
  }

  return (
    <>
      {shownUser && (
        <ConfirmDialog
          open={user !== null}
          onClose={onClose}
          look="primary"
          title={`Make ${shownUser.name} an admin?`}
          keep="Keep as user"
          confirm={labels.menu.makeAdmin}
          onConfirm={() => promote(shownUser, false)}
        >
          {`${shownUser.email} can then manage every order, tool and role. This cannot be undone: the role ends only when the account is closed.`}
        </ConfirmDialog>
      )}
      {shownUnconfirmed && (
        <ConfirmDialog
          open={unconfirmed !== null}
          onClose={() => setUnconfirmed(null)}
          title={`Make ${shownUnconfirmed.name} an admin without a confirmed address?`}
          keep="Keep as user"
          confirm="Make Admin anyway"
          onConfirm={() => promote(shownUnconfirmed, true)}
        >
          {`The confirmation link sent to ${shownUnconfirmed.email} has not been opened, so the account may belong to somebody else. Continue only if you know whose account this is. This cannot be undone.`}
        </ConfirmDialog>
      )}
    </>
  );
}
