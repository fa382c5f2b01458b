import { useEffect, useEffectEvent, useState } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import type { EditedList } from "./use-saved-list.ts";

/** Saves what is not saved yet before another page opens; asks where that is not possible. */
export function SaveBeforeLeaving({ list: { flush, isSaved, state } }: { list: EditedList }) {
  const [asks, setAsks] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      state !== "gone" &&
      currentLocation.pathname !== nextLocation.pathname &&
      nextLocation.pathname !== "/login" &&
      !isSaved(),
  );
  const save = useEffectEvent(async () => {
    if (await flush()) blocker.proceed?.();
    else setAsks(true);
  });
  const isBlocked = blocker.state === "blocked";
  useEffect(() => {
    if (isBlocked) void save();
    else setAsks(false);
  }, [isBlocked]);
  return (
    <ConfirmDialog
      open={asks}
      onClose={() => {
        setAsks(false);
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
