import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { receiveToasts, type ToastMessage } from "./toast.ts";

const LIFE_MS = 5000;
const manager = Toast.createToastManager<ToastMessage>();
const icons: Record<ToastMessage["kind"], IconName> = { success: "done", info: "info", error: "alert" };

/** Top right under the header: newest on top, three at most, five seconds each; hover, focus and a hidden tab stop the clock. */
export default function ToastRegion() {
  useEffect(() => receiveToasts((message) => void manager.add({ data: message })), []);
  return (
    <Toast.Provider toastManager={manager} timeout={LIFE_MS} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager<ToastMessage>();
  return toasts.map((toast) => {
    const message = toast.data;
    if (!message) return null;
    return (
      <Toast.Root
        key={toast.id}
        toast={toast}
        className={`toast toast--${message.kind}`}
        swipeDirection={["right", "up"]}
        role={message.kind === "error" ? "alert" : "status"}
        // The library takes a toast for a dialog; these two attributes do not belong on a message.
        aria-modal={undefined}
        aria-hidden={undefined}
      >
        <Icon name={icons[message.kind]} />
        <div className="toast__text">
          <p>{message.text}</p>
          {message.action && (
            <Toast.Action className="toast__action" onClick={message.action.onPress}>
              {message.action.label}
            </Toast.Action>
          )}
        </div>
        <Toast.Close className="toast__close" aria-label="Dismiss" aria-hidden={undefined}>
          <Icon name="close" />
        </Toast.Close>
      </Toast.Root>
    );
  });
}
