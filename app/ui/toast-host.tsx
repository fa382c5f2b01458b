import { lazy, Suspense, useEffect, useState } from "react";
import { Icon } from "./icon.tsx";
import { receiveToasts, TOAST_LIFE_MS, type ToastMessage, toastIcons, whenFirstToast } from "./toast.ts";

// When the network is gone the widgets cannot be fetched, yet that is just what a toast may have to say.
const ToastRegion = lazy(() => import("./toast-region.tsx").catch(() => ({ default: PlainToasts })));

/** Stands once in the root. The widgets behind a toast are no part of the first download. */
export function ToastHost() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => whenFirstToast(() => setNeeded(true)), []);
  if (!needed) return null;
  return (
    <Suspense>
      <ToastRegion />
    </Suspense>
  );
}

/** The same toasts without pause and close. */
function PlainToasts() {
  const [shown, setShown] = useState<ToastMessage[]>([]);
  useEffect(
    () =>
      receiveToasts((message) => {
        setShown((now) => [message, ...now.filter(({ text }) => text !== message.text)].slice(0, 3));
        setTimeout(() => setShown((now) => now.filter((other) => other !== message)), TOAST_LIFE_MS);
      }),
    [],
  );
  return (
    <div className="toasts">
      {shown.map((message, position) => (
        <div
          key={position}
          className={`toast toast--${message.kind}`}
          role={message.kind === "error" ? "alert" : "status"}
        >
          <Icon name={toastIcons[message.kind]} />
          <div className="toast__text">
            <p>{message.text}</p>
            {message.action && (
              <button type="button" className="toast__action" onClick={message.action.onPress}>
                {message.action.label}
              </button>
            )}
          </div>
        </div>
      ))}
    </div>
  );
}
