import { type ReactNode, useEffect, useRef } from "react";

interface OutcomeTitleProps {
  /** it became known on this page just now; the button that had the focus is gone */
  justNow: boolean;
  children: ReactNode;
}

/** The title of what became of a payment. It takes the focus, and so the page shows it. */
export function PaymentOutcomeTitle({ justNow, children }: OutcomeTitleProps) {
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
