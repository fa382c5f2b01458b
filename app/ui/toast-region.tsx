import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { Icon } from "./icon.tsx";
import { receiveToasts, TOAST_LIFE_MS, type ToastMessage, toastIcons } from "./toast.ts";

const manager = Toast.createToastManager<ToastMessage>();

/** Top right under the header: newest on top, three at most, five seconds each; hover, focus and a hidden tab stop the clock. */
export default function ToastRegion() {
  useEffect(() => receiveToasts((message) => void manager.add({ data: message })), []);
  return (
    <Toast.Provider toastManager={manager} timeout={TOAST_LIFE_MS} limit={3}>
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
        <Icon name={toastIcons[message.kind]} />
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
