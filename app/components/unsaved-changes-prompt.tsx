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
import type { ConfirmDialog as LoadedDialog } from "./confirm-dialog.tsx";
import { useListener } from "./use-listener.ts";

type DialogProps = ComponentProps<typeof LoadedDialog>;

// if its script cannot be loaded, the browser's own prompt is used
const ConfirmDialog = lazy<ComponentType<DialogProps>>(() =>
  withLoadTimeout(import("./confirm-dialog.tsx")).then(
    (script) => ({ default: script.ConfirmDialog }),
    () => ({ default: BrowserConfirm }),
  ),
);

function BrowserConfirm({ title, children, onConfirm, onClose }: DialogProps) {
  const hasOpened = useRef(false);
  const confirm = useEffectEvent(() => {
    if (window.confirm(`${title} ${children}`)) void onConfirm();
    else onClose();
  });
  useEffect(() => {
    if (hasOpened.current) return;
    hasOpened.current = true;
    confirm();
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
const viewOf = ({ pathname, search }: Location) => pathname + new URLSearchParams(search).get("view");

/** Confirms leaving a page with unsaved input: in a dialog for navigations, else with the browser's own prompt. */
export function UnsavedChangesPrompt({ isUnsaved, children }: UnsavedChangesPromptProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      viewOf(currentLocation) !== viewOf(nextLocation) && nextLocation.pathname !== "/login" && isUnsaved(),
  );

  const left = useRef(false);

  useListener("beforeunload", (event) => isUnsaved() && event.preventDefault());

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
