import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { toast } from "../../components/toast.ts";
import { TransactionId } from "../../components/transaction-id.tsx";
import { Specimen } from "./specimen.tsx";

export function Overlays() {
  const [open, setOpen] = useState<"confirm" | "dialog" | null>(null);
  const close = () => setOpen(null);
  const work = () => new Promise<void>((done) => setTimeout(done, 1200));
  return (
    <Specimen name="Toasts, dialogs, transaction id" span={12}>
      <p className="specimen__row">
        <Button onClick={() => toast.success("Purchased Successfully")}>Success</Button>
        <Button onClick={() => toast.info("Please Provide Email First")}>Info</Button>
        <Button
          onClick={() =>
            toast.error("The order could not be cancelled.", { label: "Try again", onPress: () => undefined })
          }
        >
          Error
        </Button>
        <Button look="danger" onClick={() => setOpen("confirm")}>
          Delete
        </Button>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
      </p>
      <TransactionId id="pi_3QK2vX9rT4mLhZ0b1c8dYw2N" />
      <ConfirmDialog
        open={open === "confirm"}
        onClose={close}
        title="Delete the table saw?"
        keep="Keep tool"
        confirm="Delete"
        onConfirm={work}
      >
        It leaves the catalogue at once. Existing orders keep their copy.
      </ConfirmDialog>
      <Dialog
        open={open === "dialog"}
        onClose={close}
        title="A dialog"
        actions={<Button onClick={close}>Close</Button>}
      >
        <p>Escape, the scrim and the cross close it.</p>
      </Dialog>
    </Specimen>
  );
}
