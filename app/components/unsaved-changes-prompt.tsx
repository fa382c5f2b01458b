import {
  type ComponentProps,
  type ComponentType,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
} from "react";
import { useBlocker } from "react-router";
import { withLoadTimeout } from "../performance/load-chunk.ts";
import type { ConfirmDialog as Question } from "./confirm-dialog.tsx";

type QuestionProps = ComponentProps<typeof Question>;

// without its script the question is still asked, in the browser's own way: what was typed is not lost for it
const ConfirmDialog = lazy<ComponentType<QuestionProps>>(() =>
  withLoadTimeout(import("./confirm-dialog.tsx")).then(
    (script) => ({ default: script.ConfirmDialog }),
    () => ({ default: BrowserConfirm }),
  ),
);

function BrowserConfirm({ title, children, onConfirm, onClose }: QuestionProps) {
  const asked = useRef(false);
  const ask = useEffectEvent(() => {
    if (window.confirm(`${title} ${children}`)) void onConfirm();
    else onClose();
  });
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    ask();
  }, []);
  return null;
}

interface LeaveWarningProps {
  /** whether something was typed that is not sent yet; asked at the moment of leaving */
  isUnsaved: () => boolean;
  /** what will be lost, as a sentence */
  children: string;
}

/** Asks before a page with something typed is left: in a dialog for a move on this site, else in the browser's own. */
export function UnsavedChangesPrompt({ isUnsaved, children }: LeaveWarningProps) {
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
