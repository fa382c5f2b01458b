import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Overview } from "../../../../api/overview.ts";
import { count, counted } from "../../../components/format.ts";
import { Notice } from "../../../components/notice.tsx";

/** Problems that need an admin, each with a link to its page. */
export function OperationalAlerts({
  alerts: { mails: emails, faults: discrepancies, disputed },
}: {
  alerts: Overview["alerts"];
}) {
  if (emails + discrepancies + disputed.length === 0) return null;
  return (
    <div className="ov__alerts">
      <Notice kind="warn" icon="alert">
        {disputed.map((line) => (
          <p key={line._id}>
            Payment disputed: <DisputedLink line={line} /> to {line.name}
          </p>
        ))}
        {discrepancies > 0 && (
          <p>
            <DashboardLink to="reconciliation">Reconciliation</DashboardLink> found{" "}
            {discrepancies === 1 ? "1 discrepancy" : `${count(discrepancies)} discrepancies`}
          </p>
        )}
        {emails > 0 && (
          <p>
            <DashboardLink to="emails">{counted(emails, "email")}</DashboardLink> could not be delivered yet
          </p>
        )}
      </Notice>
    </div>
  );
}

function DisputedLink({ line }: { line: Overview["alerts"]["disputed"][number] }) {
  const { _id, productName, purchaseQuantity, orderNumber, lineCount } = line;
  return lineCount > 1 ? (
    <DashboardLink to={`order/${orderNumber}`}>{`Order ${orderNumber}, ${lineCount} lines`}</DashboardLink>
  ) : (
    <DashboardLink to={`order/${_id}`}>{`${count(purchaseQuantity)} × ${productName}`}</DashboardLink>
  );
}

function DashboardLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="link" prefetch="intent" to={`/dashboard/${to}`}>
      {children}
    </Link>
  );
}
