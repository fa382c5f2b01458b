import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface NoticeProps {
  /** `warn` is something to look at before going on; `info` is a fact */
  kind?: "info" | "warn";
  icon?: IconName;
  children: ReactNode;
}

/** A line that is no error: a price that changed, a test card's number. Announced when it appears. */
export function Notice({ kind = "info", icon = "info", children }: NoticeProps) {
  return (
    <div className={`notice notice--${kind}`} role="status">
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
