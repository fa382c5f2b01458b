import {
  type ComponentProps,
  type ComponentType,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
} from "react";
import { type Location, useBlocker } from "react-router";
import { withLoadTimeout } from "../performance/load-chunk.ts";
import type { ConfirmDialog as Question } from "./confirm-dialog.tsx";

type QuestionProps = ComponentProps<typeof Question>;

// if its script cannot be loaded, the browser's own prompt is used
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

interface UnsavedChangesPromptProps {
  /** whether there is unsaved input; called on leaving */
  isUnsaved: () => boolean;
  /** what will be lost, as a sentence */
  children: string;
}

/** Another view of a page, such as its grid, has its own input. */
const placeOf = ({ pathname, search }: Location) => pathname + new URLSearchParams(search).get("view");

/** Confirms leaving a page with unsaved input: in a dialog for navigations, else with the browser's own prompt. */
export function UnsavedChangesPrompt({ isUnsaved, children }: UnsavedChangesPromptProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      placeOf(currentLocation) !== placeOf(nextLocation) && nextLocation.pathname !== "/login" && isUnsaved(),
  );

  const left = useRef(false);

  const onLeave = useEffectEvent((event: BeforeUnloadEvent) => isUnsaved() && event.preventDefault());
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => onLeave(event);
    window.addEventListener("beforeunload", listener);
    return () => window.removeEventListener("beforeunload", listener);
  }, []);

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
