import { type FocusEvent, useEffect, useRef, useState } from "react";
import { Icon } from "./icon.tsx";
import { receiveToasts, TOAST_LIFE_MS, type ToastMessage, toastIcons } from "./toast.ts";
import { useClearOfHead } from "./use-clear-of-head.ts";
import { useFocusReturn } from "./use-focus-return.ts";

/** The same words again are another toast, with a clock of its own. */
type Shown = ToastMessage & { turn: number };

let turn = 0;

/** The toasts of toast-region.tsx without its widgets, for when those cannot be fetched. They look and last the same. */
export function PlainToasts() {
  const [shown, setShown] = useState<Shown[]>([]);
  const { held, letGo, watch } = useHold();
  const region = useClearOfHead<HTMLElement>(shown.length > 0);
  useEffect(
    () =>
      receiveToasts((message) => {
        const next = { ...message, turn: ++turn };
        setShown((now) => [next, ...now.filter(({ text }) => text !== message.text)].slice(0, 3));
      }),
    [],
  );
  const close = (gone: Shown) => setShown((now) => now.filter((other) => other !== gone));

  return (
    <section
      className="toasts"
      ref={region}
      aria-label="Notifications"
      data-expanded={held ? "" : undefined}
      {...watch}
    >
      {shown.map((message) => (
        <PlainToast
          key={message.turn}
          message={message}
          held={held}
          onEnd={() => close(message)}
          onDismiss={() => {
            letGo();
            close(message);
          }}
        />
      ))}
    </section>
  );
}

interface PlainToastProps {
  message: ToastMessage;
  /** its clock stands still */
  held: boolean;
  onEnd: () => void;
  onDismiss: () => void;
}

function PlainToast({ message, held, onEnd, onDismiss }: PlainToastProps) {
  const left = useRef(TOAST_LIFE_MS);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (held) return;
    const since = performance.now();
    const timer = setTimeout(() => end.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [held]);

  return (
    <div className={`toast toast--${message.kind}`} role={message.kind === "error" ? "alert" : "status"}>
      <Icon name={toastIcons[message.kind]} />
      <div className="toast__text">
        <p>{message.text}</p>
        {message.action && (
          <button type="button" className="toast__action" onClick={message.action.onPress}>
            {message.action.label}
          </button>
        )}
      </div>
      <button type="button" className="toast__close" aria-label="Dismiss" onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Hover, focus and a hidden tab stop the clock. `letGo` gives the focus back to where it came from. */
function useHold() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [hidden, setHidden] = useState(false);
  const { onFocus, giveBack } = useFocusReturn();
  useEffect(() => {
    const look = () => setHidden(document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);

  return {
    held: hovered || focused || hidden,
    letGo() {
      setFocused(false);
      giveBack();
    },
    watch: {
      onPointerEnter: () => setHovered(true),
      onPointerLeave: () => setHovered(false),
      onFocus(event: FocusEvent) {
        onFocus(event);
        setFocused(true);
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget as Node | null)),
    },
  };
}
