import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { FormError } from "./field.tsx";

interface EmptyStateProps {
  title: string;
  /** one line: what to do next */
  children: ReactNode;
  /** one button or link, and possibly shortcuts before it */
  action?: ReactNode;
  drawing?: boolean;
}

export function EmptyState({ title, children, action, drawing = true }: EmptyStateProps) {
  return (
    <div className="empty">
      {drawing && <img src="/art/empty-orders.svg" alt="" width="640" height="440" />}
      <h2 className="t-h3">{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

export function ErrorState({
  children,
  onRetry,
  busy = false,
}: {
  children: ReactNode;
  onRetry: () => void;
  busy?: boolean;
}) {
  return (
    <div className="failed">
      <FormError>{children}</FormError>
      <Button onClick={onRetry} busy={busy} icon="retry">
        Try again
      </Button>
    </div>
  );
}
