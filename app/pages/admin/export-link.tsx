import type { MouseEvent } from "react";
import { classNames } from "../../components/class-names.ts";
import { downloadFrom } from "../../components/download-file.ts";
import { toast } from "../../components/toast.ts";
import { identityRequest } from "../../data/identity-request.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";

interface ExportLinkProps {
  path: string;
  query?: Record<string, string | undefined>;
  /** in the heading of a panel */
  small?: boolean;
  label?: string;
}

/** Downloads all rows of a filtered list as a CSV file for Excel. */
export function ExportLink({ path, query = {}, small, label = "Export CSV" }: ExportLinkProps) {
  const endSession = useSessionExpired();

  // without a session the login would be downloaded in place of the list
  async function onClick(event: MouseEvent<HTMLAnchorElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    const session = await identityRequest<{ user?: object }>("GET", "/api/auth/get-session");
    if (!session.ok) toast.error(session.message);
    else if (session.user) downloadFrom(href);
    else void endSession();
  }

  const filters = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return (
    <a
      className={classNames("btn btn--line", small && "btn--sm")}
      href={`${path}?${new URLSearchParams([...filters, ["bom", "true"]])}`}
      download
      onClick={onClick}
    >
      <span className="btn__label">{label}</span>
    </a>
  );
}
