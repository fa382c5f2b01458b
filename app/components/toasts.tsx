import { type FocusEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "react-router";
import { Icon } from "./icon.tsx";
import { subscribeToToasts, TOAST_LIFE_MS, type ToastMessage, toastIcons, UNDO_LIFE_MS } from "./toast.ts";
import { useListener } from "./use-listener.ts";

/** The same text again is a new toast with its own timer. */
type Shown = ToastMessage & { id: number; since: number };

let lastId = 0;

/** A toast shown just before a navigation stays; older ones belong to the previous page. */
const OF_THIS_NAVIGATION_MS = 1500;

/**
 * Newest first, at most three, five seconds each, ten for Undo; hover, focus and a hidden tab pause the timer. F6
 * focuses the newest (head-script.ts). Top right, on phones at the bottom, where they are less in the way and close with
 * their page.
 */
export function Toasts() {
  const [shown, setShown] = useState<Shown[]>([]);
  const { paused, release, watch } = usePause();
  const { pathname } = useLocation();
  useEffect(
    () =>
      subscribeToToasts((message) => {
        const next = { ...message, id: ++lastId, since: performance.now() };
        const isSame = (other: Shown) => !message.action && other.text === message.text;
        setShown((now) => [next, ...now.filter((other) => !isSame(other))].slice(0, 3));
      }),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each move to another page
  useEffect(() => {
    if (!matchMedia("(max-width: 47.99rem)").matches) return;
    const oldest = performance.now() - OF_THIS_NAVIGATION_MS;
    setShown((now) => now.filter(({ since }) => since > oldest));
  }, [pathname]);
  const close = (closed: Shown) => setShown((now) => now.filter((other) => other !== closed));

  return (
    <section
      className="toasts"
      aria-label="Notifications (F6)"
      aria-live="polite"
      data-expanded={paused ? "" : undefined}
      {...watch}
    >
      {shown.map((message) => (
        <Toast
          key={message.id}
          message={message}
          paused={paused}
          onEnd={() => close(message)}
          onDismiss={() => {
            release();
            close(message);
          }}
        />
      ))}
    </section>
  );
}

interface ToastProps {
  message: ToastMessage;
  paused: boolean;
  onEnd: () => void;
  onDismiss: () => void;
}

function Toast({ message, paused, onEnd, onDismiss }: ToastProps) {
  const left = useRef(message.kind === "undo" ? UNDO_LIFE_MS : TOAST_LIFE_MS);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (paused) return;
    const since = performance.now();
    const timer = setTimeout(() => end(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [paused]);

  return (
    <div className={`toast toast--${message.kind}`} role={message.kind === "error" ? "alert" : "status"}>
      <Icon name={toastIcons[message.kind]} />
      <div className="toast__text">
        <p>{message.text}</p>
        {message.action && (
          <button
            type="button"
            className="toast__action"
            aria-label={message.action.name}
            onClick={() => {
              message.action?.onPress();
              onDismiss();
            }}
          >
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

/** Hover, focus and a hidden tab pause the timer. `release` returns the focus to where it was. */
function usePause() {
  const [reasons, setReasons] = useState({ hover: false, focus: false, hidden: false });
  const focusedBefore = useRef<EventTarget | null>(null);
  const set = (change: Partial<typeof reasons>) => setReasons((now) => ({ ...now, ...change }));
  useListener("visibilitychange", () => set({ hidden: document.hidden }));

  return {
    paused: Object.values(reasons).some(Boolean),
    release() {
      set({ hover: false, focus: false });
      if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
    },
    watch: {
      onPointerEnter: () => set({ hover: true }),
      onPointerLeave: () => set({ hover: false }),
      onFocus({ currentTarget, relatedTarget }: FocusEvent) {
        if (!currentTarget.contains(relatedTarget as Node | null)) focusedBefore.current = relatedTarget;
        set({ focus: true });
      },
      onBlur: () => set({ focus: false }),
    },
  };
}
