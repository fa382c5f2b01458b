import { useEffect, useEffectEvent, useState } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import type { EditedList } from "./use-saved-list.ts";

/** Saves changes before another page opens; if that fails, asks whether to leave. */
export function SaveBeforeLeaving({ list: { flush, isSaved, state } }: { list: EditedList }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      state !== "deleted" &&
      currentLocation.pathname !== nextLocation.pathname &&
      nextLocation.pathname !== "/login" &&
      !isSaved(),
  );
  const save = useEffectEvent(async () => {
    if (await flush()) blocker.proceed?.();
    else setIsConfirming(true);
  });
  const isBlocked = blocker.state === "blocked";
  useEffect(() => {
    if (isBlocked) void save();
    else setIsConfirming(false);
  }, [isBlocked]);
  return (
    <ConfirmDialog
      open={isConfirming}
      onClose={() => {
        setIsConfirming(false);
        blocker.reset?.();
      }}
      title="Leave this page?"
      keep="Stay"
      confirm="Leave"
      onConfirm={() => blocker.proceed?.()}
    >
      Your last changes of this list are not saved yet and will be lost.
    </ConfirmDialog>
  );
}
