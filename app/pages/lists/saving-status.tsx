import { useNavigate } from "react-router";
import { focusHeading } from "../../components/focus-heading.ts";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.ts";
import { useCallOnce } from "../../data/call-once.ts";
import type { EditedList } from "./use-saved-list.ts";

interface SavingStatusProps {
  /** `incorrect`: lines without a tool or a quantity */
  state: EditedList["state"] | "incorrect";
}

export function SavingStatus({ state }: SavingStatusProps) {
  const text = {
    saved: "Every change is saved as you make it.",
    incorrect: "Lines that need a correction are not saved yet.",
    saving: "Saving your changes.",
    offline: "Your last changes are not saved yet. They are sent when the connection is back.",
    refused: "Your last changes are not saved. The message above says why.",
    deleted: "Your changes are not saved.",
  }[state];
  return (
    <p className="hint list-saving" role="status" data-state={state}>
      {text}
    </p>
  );
}

/** The store refuses to save the list as it is. */
export function RefusedNotice({ list: { refusal, flush } }: { list: EditedList }) {
  if (!refusal) return null;
  async function saveAgain() {
    // the button is gone
    if (await flush()) focusHeading();
  }
  return (
    <Notice kind="warn">
      {`Your last changes are not saved. ${refusal} They are sent again with your next change. Export CSV keeps a copy. `}
      <button type="button" className="link" onClick={saveAgain}>
        Save again
      </button>
    </Notice>
  );
}

/** The list was deleted in another tab or on another device; the content shown can be saved again. */
export function DeletedNotice({ list: { name, lines } }: { list: EditedList }) {
  const navigate = useNavigate();
  const callOnce = useCallOnce();
  async function saveAgain() {
    const body = { name, lines: [...lines] };
    const outcome = await callOnce("addSavedList", { body });
    if (outcome.ok) await navigate(`/dashboard/lists/${outcome.data._id}`, { replace: true });
    else toast.error(outcome.detail);
  }
  return (
    <Notice kind="warn">
      {"This list was deleted elsewhere. "}
      <button type="button" className="link" onClick={saveAgain}>
        Save it as a new list
      </button>
    </Notice>
  );
}
