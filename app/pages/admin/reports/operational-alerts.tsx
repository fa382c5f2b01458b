import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Overview } from "../../../../api/overview.ts";
import { count } from "../../../components/format.ts";
import { Notice } from "../../../components/notice.tsx";

/** What waits for a person to do something about it, with the way there. Nothing on most days. */
export function OperationalAlerts({
  trouble: { mails, faults, disputed },
}: {
  trouble: Overview["trouble"];
}) {
  if (mails + faults + disputed.length === 0) return null;
  return (
    <div className="ov__trouble">
      <Notice kind="warn" icon="alert">
        {disputed.map(({ _id, name, productName, purchaseQuantity }) => (
          <p key={_id}>
            Payment disputed: <Way to={`order/${_id}`}>{`${count(purchaseQuantity)} × ${productName}`}</Way>{" "}
            to {name}
          </p>
        ))}
        {faults > 0 && (
          <p>
            The <Way to="books">books</Way> do not add up:{" "}
            {faults === 1 ? "1 fault" : `${count(faults)} faults`}
          </p>
        )}
        {mails > 0 && (
          <p>
            <Way to="mails">{mails === 1 ? "1 mail" : `${count(mails)} mails`}</Way> could not be delivered
            yet
          </p>
        )}
      </Notice>
    </div>
  );
}

function Way({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="link" prefetch="intent" to={`/dashboard/${to}`}>
      {children}
    </Link>
  );
}
