import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useBusy } from "../../../data/use-busy.ts";
import { undoShipment, useUndoableShipment } from "./ship-purchase.ts";

/** Undo, for an order that was shipped from this page, until its email is sent; then `children`, in the same line. */
export function UndoShipment({ id, children }: { id: string; children?: ReactNode }) {
  const shipment = useUndoableShipment(id);
  return shipment ? <Undo id={id} description={shipment.description} seconds={shipment.seconds} /> : children;
}

function Undo({ id, description, seconds }: { id: string; description: string; seconds: number }) {
  const [busy, run] = useBusy();
  const button = useRef<HTMLButtonElement>(null);

  // when the time is up and the button is removed, the focus moves to the order
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element && element === document.activeElement)
        element.closest<HTMLElement>("[tabindex='-1']")?.focus();
    };
  }, []);

  return (
    <span className="undo">
      <span aria-hidden="true">{`Email in ${seconds} s`}</span>
      <button
        type="button"
        className="link"
        ref={button}
        aria-busy={busy || undefined}
        aria-label={`Undo the shipment of ${description}`}
        onClick={() => void run(() => undoShipment(id))}
      >
        Undo
      </button>
    </span>
  );
}
