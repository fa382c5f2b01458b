import { lazy, Suspense, useEffect, useRef } from "react";
import { useBlocker } from "react-router";

const ConfirmDialog = lazy(async () => ({
  default: (await import("./ui/confirm-dialog.tsx")).ConfirmDialog,
}));

interface LeaveWarningProps {
  /** whether something was typed that is not sent yet; asked at the moment of leaving */
  isUnsaved: () => boolean;
  /** what will be lost, as a sentence */
  children: string;
}

/** Asks before a page with something typed is left: in a dialog for a move on this site, else in the browser's own. */
export function LeaveWarning({ isUnsaved, children }: LeaveWarningProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== "/login" && isUnsaved(),
  );

  const left = useRef(false);

  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => isUnsaved() && event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => window.removeEventListener("beforeunload", onLeave);
  }, [isUnsaved]);

  if (blocker.state !== "blocked") return null;
  return (
    <Suspense>
      <ConfirmDialog
        open
        onClose={() => !left.current && blocker.reset()}
        title="Leave this page?"
        keep="Stay"
        confirm="Leave"
        onConfirm={() => {
          left.current = true;
          blocker.proceed();
        }}
      >
        {children}
      </ConfirmDialog>
    </Suspense>
  );
}
