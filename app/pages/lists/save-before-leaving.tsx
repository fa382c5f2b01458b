import { useEffect, useEffectEvent, useState } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { useListener } from "../../components/use-listener.ts";
import type { EditedList } from "./use-saved-list.ts";

interface SaveBeforeLeavingProps {
  list: EditedList;
  /** a row is being checked, and may be saved then */
  isChecking: boolean;
  /** false also while a row cannot be saved */
  isSaved: () => boolean;
}

/** Saves changes before another page opens; if that fails, asks whether to leave. */
export function SaveBeforeLeaving({ list, isChecking, isSaved }: SaveBeforeLeavingProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      list.state !== "deleted" &&
      currentLocation.pathname !== nextLocation.pathname &&
      nextLocation.pathname !== "/login" &&
      !isSaved(),
  );
  const save = useEffectEvent(async () => {
    await list.flush();
    if (isSaved()) blocker.proceed?.();
    else setIsConfirming(true);
  });
  useListener("beforeunload", (event) => !isSaved() && event.preventDefault());
  const isBlocked = blocker.state === "blocked";
  useEffect(() => {
    if (!isBlocked) setIsConfirming(false);
    else if (!isChecking) void save();
  }, [isBlocked, isChecking]);
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
      {list.isSaved()
        ? "Lines of this list that need a correction are not saved and will be lost."
        : "Your last changes of this list are not saved yet and will be lost."}
    </ConfirmDialog>
  );
}
