import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast.ts";
import { useCallOnce } from "../../data/call-once.ts";

interface SaveAsListProps {
  name: string;
  lines: { productId: string; quantity: number }[];
  look?: "quiet" | "line";
}

/** Saves the lines of an order or a cart as a list of the account. */
export function SaveAsList({ name, lines, look = "quiet" }: SaveAsListProps) {
  const navigate = useNavigate();
  const callOnce = useCallOnce();
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    const body = { name, lines: lines.map(({ productId, quantity }) => ({ productId, quantity })) };
    const outcome = await callOnce("addSavedList", { body });
    setBusy(false);
    if (!outcome.ok) return toast.error(outcome.detail);
    toast.success(`Saved as the list ${name}.`, {
      label: "Open list",
      onPress: () => void navigate(`/dashboard/lists/${outcome.data._id}`),
    });
  }

  return (
    <Button className="no-print" look={look} size="sm" icon="rows" busy={busy} onClick={() => void save()}>
      Save as list
    </Button>
  );
}
