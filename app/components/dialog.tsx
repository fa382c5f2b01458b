import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import { IconButton } from "./button.tsx";
import { trapFocus } from "./focus-trap.ts";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** buttons, the safe one first */
  actions: ReactNode;
}

/**
 * Escape, the scrim and the close button close it; the focus returns to where it was. After something was entered, the
 * scrim does not: a press that misses a field would lose it.
 */
export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const isChanged = () => popup.current?.dataset.changed !== undefined;
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next, { reason }) => !next && !(reason === "outside-press" && isChanged()) && onClose()}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="scrim" />
        <BaseDialog.Popup
          ref={popup}
          className="dialog"
          onKeyDown={trapFocus}
          onInput={({ currentTarget }) => {
            currentTarget.dataset.changed = "";
          }}
        >
          <div className="dialog__bd">
            <BaseDialog.Title className="t-h3">{title}</BaseDialog.Title>
            {children}
            {/* first on screen, last in tab order: the focus starts at the content */}
            <BaseDialog.Close render={<IconButton icon="close" label="Close" className="dialog__close" />} />
          </div>
          <div className="dialog__ft">{actions}</div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
