import { useState } from "react";
import { useNavigate } from "react-router";
import type { Purchase } from "../../../api/entities.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";

interface SaveAsListProps {
  name: string;
  lines: Pick<Purchase, "productId" | "purchaseQuantity">[];
}

/** Keeps the lines of an order as a saved list of the account. */
export function SaveAsList({ name, lines }: SaveAsListProps) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    const saved = await call("addSavedList", {
      body: {
        name,
        lines: lines.map(({ productId, purchaseQuantity }) => ({ productId, quantity: purchaseQuantity })),
      },
    });
    setBusy(false);
    if (!saved.ok) return toast.error(saved.detail);
    toast.success(`Saved as the list ${name}.`, {
      label: "Open list",
      onPress: () => void navigate(`/dashboard/lists/${saved.data._id}`),
    });
  }

  return (
    <Button className="no-print" look="quiet" size="sm" icon="list" busy={busy} onClick={() => void save()}>
      Save as list
    </Button>
  );
}
