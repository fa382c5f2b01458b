import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useBusy } from "../data/use-busy.ts";
import { Button } from "./button.tsx";
import { trapFocus } from "./focus-trap.ts";

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  /** the question, with the object's name: "Cancel the order of 80 angle grinders?" */
  title: string;
  children: ReactNode;
  /** the label of the safe button: "Keep order" */
  keep: string;
  /** the label of the action: "Cancel Order" */
  confirm: string;
  /** runs the action; the dialog stays, busy, until it is done, then closes */
  onConfirm: () => Promise<void> | void;
  look?: "danger-solid" | "primary";
}

/** Confirms an irreversible action. The safe button has the focus; Escape and the scrim close the dialog. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, children, keep, confirm, onConfirm, look = "danger-solid" } = props;
  const [busy, run] = useBusy();
  const safe = useRef<HTMLButtonElement>(null);
  const finalFocus = useFinalFocus(open);

  async function confirmAndClose() {
    try {
      await onConfirm();
    } finally {
      onClose();
    }
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" onClick={() => !busy && onClose()} />
        <AlertDialog.Popup
          className="dialog"
          initialFocus={safe}
          finalFocus={finalFocus}
          onKeyDown={trapFocus}
        >
          <div className="dialog__bd">
            <AlertDialog.Title className="t-h3">{title}</AlertDialog.Title>
            <AlertDialog.Description>{children}</AlertDialog.Description>
          </div>
          <div className="dialog__ft">
            <AlertDialog.Close
              render={
                <Button ref={safe} disabled={busy}>
                  {keep}
                </Button>
              }
            />
            <Button look={look} busy={busy} onClick={() => run(confirmAndClose)}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Returns the focus to the element that opened the dialog or, if the action removed it, to the page's heading. */
function useFinalFocus(open: boolean): () => HTMLElement | true {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return () => {
    const heading = document.querySelector<HTMLElement>("main h1");
    if (opener.current?.isConnected || !heading) return true;
    heading.tabIndex = -1;
    return heading;
  };
}
