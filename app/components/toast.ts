/** Toasts from anywhere: `toast.success("Purchased Successfully")`. toasts.tsx renders them. */

/** Specification, section 9. */
export const TOAST_LIFE_MS = 5000;

export interface ToastMessage {
  kind: "success" | "info" | "error";
  text: string;
  action?: ToastAction | undefined;
}

export interface ToastAction {
  label: string;
  /** for screen readers, if the label alone is ambiguous; begins with the label */
  name?: string;
  onPress: () => void;
}

export const toastIcons = { success: "done", info: "info", error: "alert" } as const;

type Deliver = (message: ToastMessage) => void;

const waiting: ToastMessage[] = [];
let deliver: Deliver | null = null;

function send(message: ToastMessage) {
  if (deliver) return deliver(message);
  waiting.push(message);
}

export const toast = {
  success: (text: string, action?: ToastAction) => send({ kind: "success", text, action }),
  info: (text: string, action?: ToastAction) => send({ kind: "info", text, action }),
  error: (text: string, action?: ToastAction) => send({ kind: "error", text, action }),
};

/** For the region: receives every toast from now on, and those before it was mounted. */
export function subscribeToToasts(receive: Deliver): () => void {
  deliver = receive;
  for (const message of waiting.splice(0)) receive(message);
  return () => {
    deliver = null;
  };
}
