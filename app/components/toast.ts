/** Toasts from anywhere: `toast.success("Purchased Successfully")`. toasts.tsx renders them. */

/** Specification, section 9. */
export const TOAST_LIFE_MS = 5000;
/** Long enough to hear what was removed, to reach Undo and to decide (WCAG 2.2.1). */
export const UNDO_LIFE_MS = 10_000;

export interface ToastMessage {
  kind: "success" | "info" | "error" | "undo";
  text: string;
  action?: ToastAction | undefined;
}

export interface ToastAction {
  label: string;
  /** for screen readers, if the label alone is ambiguous; begins with the label */
  name?: string;
  onPress: () => void;
}

export const toastIcons = { success: "done", info: "info", error: "alert", undo: "done" } as const;

type Deliver = (message: ToastMessage) => void;

const waiting: ToastMessage[] = [];
let deliver: Deliver | null = null;

const send = (kind: ToastMessage["kind"]) => (text: string, action?: ToastAction) => {
  const message = { kind, text, action };
  if (deliver) deliver(message);
  else waiting.push(message);
};

export const toast = {
  success: send("success"),
  info: send("info"),
  error: send("error"),
  /** for what only the action of this toast brings back */
  undo: send("undo"),
};

/** For the region: receives every toast from now on, and those before it was mounted. */
export function subscribeToToasts(receive: Deliver): () => void {
  deliver = receive;
  for (const message of waiting.splice(0)) receive(message);
  return () => {
    deliver = null;
  };
}
