import { type ReactNode, useEffect, useRef } from "react";

interface PaymentOutcomeTitleProps {
  /** the outcome is from just now; the focused button was removed */
  justNow: boolean;
  children: ReactNode;
}

/** Takes the focus, and so is scrolled into view. */
export function PaymentOutcomeTitle({ justNow, children }: PaymentOutcomeTitleProps) {
  const title = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (justNow) title.current?.focus();
  }, [justNow]);
  return (
    <span ref={title} tabIndex={-1}>
      {children}
    </span>
  );
}
