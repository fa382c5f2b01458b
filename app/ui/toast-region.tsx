import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { Icon } from "./icon.tsx";
import { receiveToasts, TOAST_LIFE_MS, type ToastMessage, toastIcons } from "./toast.ts";
import { useClearOfHead } from "./use-clear-of-head.ts";
import { useFocusReturn } from "./use-focus-return.ts";

/** `turn` is another one each time, also for the same words. */
type Shown = ToastMessage & { turn: number };

const manager = Toast.createToastManager<Shown>();
let turn = 0;

/** The same words again do not pile up: their toast starts its five seconds anew, and is said again. */
function show(message: ToastMessage) {
  manager.add({ id: `${message.kind}: ${message.text}`, data: { ...message, turn: ++turn } });
}

/** Top right under the header, off a page's head: newest on top, three at most, five seconds each; hover, focus and a hidden tab stop the clock. */
export default function ToastRegion() {
  useEffect(() => receiveToasts(show), []);
  return (
    <Toast.Provider toastManager={manager} timeout={TOAST_LIFE_MS} limit={3}>
      <Toast.Portal>
        <Toasts />
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager<Shown>();
  const { onFocus, giveBack } = useFocusReturn();
  const region = useClearOfHead<HTMLDivElement>(toasts.length > 0);
  return (
    <Toast.Viewport className="toasts" ref={region} onFocus={onFocus}>
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} onDismiss={giveBack} />
      ))}
    </Toast.Viewport>
  );
}

type ShownToast = ReturnType<typeof Toast.useToastManager<Shown>>["toasts"][number];

function OneToast({ toast, onDismiss }: { toast: ShownToast; onDismiss: () => void }) {
  const message = toast.data;
  if (!message) return null;
  return (
    <Toast.Root
      toast={toast}
      className={`toast toast--${message.kind}`}
      swipeDirection={["right", "up"]}
      data-turn={message.turn % 2}
      role={message.kind === "error" ? "alert" : "status"}
      // The library takes a toast for a dialog; these two attributes do not belong on a message.
      aria-modal={undefined}
      aria-hidden={undefined}
    >
      <Icon name={toastIcons[message.kind]} />
      <div className="toast__text">
        <p key={message.turn}>{message.text}</p>
        {message.action && (
          <Toast.Action className="toast__action" onClick={message.action.onPress}>
            {message.action.label}
          </Toast.Action>
        )}
      </div>
      <Toast.Close className="toast__close" aria-label="Dismiss" aria-hidden={undefined} onClick={onDismiss}>
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  );
}
