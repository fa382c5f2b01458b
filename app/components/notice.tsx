import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface NoticeProps {
  /** `warn` needs attention before continuing; `info` is a fact */
  kind?: "info" | "warn";
  icon?: IconName;
  children: ReactNode;
}

/** Not an error: a changed price, a test card's number. Announced when it appears. */
export function Notice({ kind = "info", icon = "info", children }: NoticeProps) {
  return (
    <div className={`notice notice--${kind}`} role="status">
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
