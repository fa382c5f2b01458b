import type { Output } from "../../../../api/contract.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { toast } from "../../../components/toast.ts";
import { useLast } from "../../../components/use-last.ts";
import { call } from "../../../data/api-client.ts";
import { useRefusalToast } from "../use-refusal-toast.ts";

export type ListedUser = Output<"searchUsers">["users"][number];

interface CloseAccountDialogProps {
  user: Pick<ListedUser, "email" | "name" | "role" | "closed"> | null;
  onClose: () => void;
  onDone: () => void;
}

export function CloseAccountDialog({ user, onClose, onDone }: CloseAccountDialogProps) {
  // the text stays while the dialog closes
  const shownUser = useLast(user);
  const showRefusal = useRefusalToast();
  if (!shownUser) return null;
  const { email, name, role, closed = false } = shownUser;

  async function toggleClosed() {
    const outcome = await call("closeUser", { params: { email }, body: { closed: !closed } });
    if (!outcome.ok) showRefusal(outcome);
    else toast.success(closed ? `The account of ${name} is reopened.` : `The account of ${name} is closed.`);
    onDone();
  }

  return (
    <ConfirmDialog
      open={user !== null}
      onClose={onClose}
      look={closed ? "primary" : "danger-solid"}
      title={closed ? `Reopen the account of ${name}?` : `Close the account of ${name}?`}
      keep={closed ? "Keep closed" : "Keep open"}
      confirm={closed ? "Open account" : "Close account"}
      onConfirm={toggleClosed}
    >
      {closed
        ? `${email} can then log in again.`
        : `${email} is signed out everywhere and cannot log in. Orders are not changed. ${
            role === "admin"
              ? "The admin role ends, and does not return if you reopen the account."
              : "You can reopen the account."
          }`}
    </ConfirmDialog>
  );
}
