import { useState } from "react";
import type { User } from "../../../api/entities.ts";
import { labels, messages } from "../../../shop/messages.ts";
import { call } from "../../api-client.ts";
import { pageTitle } from "../../page-title.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/chip.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { Actions, type Column } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.ts";
import { useLast } from "../../ui/use-last.ts";
import { type Address, useAddress } from "../../use-address.ts";
import { type Called, useCall } from "../../use-call.ts";
import { CloseAccountDialog, type ListedUser } from "./close-account.tsx";
import { ListSearch, ListTable } from "./list-table.tsx";
import { useRefusalToast } from "./use-refusal-toast.ts";

export const meta = () => pageTitle("Make Admin");

/** Make Admin (specification, section 4): grants the role; there is no way back. */
export default function MakeAdminPage() {
  const address = useAddress();
  const role = address.get("role") === "admin" ? ("admin" as const) : undefined;
  const q = address.get("q");
  const users = useCall("searchUsers", { query: { q, role, cursor: address.get("cursor") } });
  const [chosen, setChosen] = useState<User | null>(null);
  const [closing, setClosing] = useState<ListedUser | null>(null);
  const counts = users.data?.counts;

  return (
    <>
      <PageHead
        title={labels.menu.makeAdmin}
        fact="An admin can manage orders, products and roles. The role cannot be taken back here."
      />
      <div className="listbar">
        <ListSearch address={address} label="Search users" placeholder="Name or email" />
      </div>
      <Tabs
        label="Role"
        items={[
          { to: address.to({ role: undefined }), label: "All", count: counts?.all, current: !role },
          { to: address.to({ role: "admin" }), label: "Admins", count: counts?.admin, current: !!role },
        ]}
      />
      <ListTable
        called={users}
        address={address}
        rows={(data) => data.users}
        total={(data) => data.counts[role ?? "all"]}
        noun="users"
        caption="Users"
        className="tbl--users"
        rowKey={(user) => user.email}
        columns={columnsOf(setChosen, setClosing)}
        pictures={false}
        empty={<NoUsers address={address} />}
      />
      <MakeAdminDialog user={chosen} onClose={() => setChosen(null)} users={users} />
      <CloseAccountDialog user={closing} onClose={() => setClosing(null)} onDone={users.reload} />
    </>
  );
}

function columnsOf(
  onChoose: (user: User) => void,
  onClose: (user: ListedUser) => void,
): Column<ListedUser>[] {
  return [
    {
      id: "email",
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
      id: "role",
      heading: "Role",
      cell: ({ role, closed }) => (
        <Badge strong={role === "admin"}>{role === "admin" ? "Admin" : closed ? "Closed" : "User"}</Badge>
      ),
    },
    {
      id: "act",
      heading: "Action",
      kind: "action",
      headingHidden: true,
      cell: (user) =>
        user.role === "admin" ? null : (
          <Actions>
            <Button
              size="sm"
              look={user.closed ? "line" : "danger"}
              onClick={() => onClose(user)}
              aria-label={`${user.closed ? "Open account" : "Close account"}, ${user.email}`}
            >
              {user.closed ? "Open account" : "Close account"}
            </Button>
            {!user.closed && (
              <Button
                size="sm"
                onClick={() => onChoose(user)}
                aria-label={`${labels.menu.makeAdmin}, ${user.email}`}
              >
                {labels.menu.makeAdmin}
              </Button>
            )}
          </Actions>
        ),
    },
  ];
}

interface MakeAdminDialogProps {
  user: User | null;
  onClose: () => void;
  users: Called<{ users: ListedUser[]; counts: { all: number; admin: number } }>;
}

function MakeAdminDialog({ user, onClose, users }: MakeAdminDialogProps) {
  const shown = useLast(user);
  const sayRefusal = useRefusalToast();
  if (!shown) return null;

  async function promote({ email }: User) {
    const answer = await call("makeAdmin", { params: { email } });
    if (!answer.ok) sayRefusal(answer);
    else if (answer.data.modifiedCount > 0) toast.success(messages.admin.made);
    else toast.info(`${email} is an admin already.`);
    users.reload();
  }

  return (
    <ConfirmDialog
      open={user !== null}
      onClose={onClose}
      look="primary"
      title={`Make ${shown.name} an admin?`}
      keep="Keep as user"
      confirm={labels.menu.makeAdmin}
      onConfirm={() => promote(shown)}
    >
      {`${shown.email} can then manage every order, tool and role. The role cannot be taken back here.`}
    </ConfirmDialog>
  );
}

function NoUsers({ address }: { address: Address }) {
  return (
    <EmptyState
      drawing={false}
      title="Nobody fits"
      action={<Button onClick={() => address.set({ q: undefined, role: undefined })}>Show all users</Button>}
    >
      Look for a part of the name or the email. Who has never signed in is not in the list.
    </EmptyState>
  );
}
