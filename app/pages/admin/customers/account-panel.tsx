import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Badge } from "../../../components/chip.tsx";
import { Fact } from "../../../components/fact.tsx";
import { Panel } from "../../../components/panel.tsx";
import { useDashboard } from "../../dashboard/dashboard-layout.tsx";
import { CloseAccountDialog } from "../users/close-account.tsx";
import type { CustomerProps } from "./customer-panels.tsx";

export function AccountPanel({ customer, onChanged }: CustomerProps & { onChanged: () => void }) {
  // a copy, so that the dialog's question does not change when the page is reloaded
  const [closing, setClosing] = useState<CustomerProps["customer"] | null>(null);
  const { user } = useDashboard();
  const { email, role, emailVerified, phone, location, closed } = customer;
  return (
    <Panel
      flush
      title="Account"
      aside={
        <Badge strong={role === "admin"}>{role === "admin" ? "Admin" : closed ? "Closed" : "Open"}</Badge>
      }
    >
      <dl className="sum order-facts">
        <Fact label="Email" value={emailVerified ? "Confirmed" : "Not confirmed"} />
        {phone && <Fact label="Phone" value={phone} />}
        {location && <Fact label="Location" value={location} />}
      </dl>
      {email !== user.email && (
        <div className="panel__act no-print">
          <Button block size="sm" look={closed ? "line" : "danger"} onClick={() => setClosing(customer)}>
            {closed ? "Open account" : "Close account"}
          </Button>
        </div>
      )}
      <CloseAccountDialog user={closing} onClose={() => setClosing(null)} onDone={onChanged} />
    </Panel>
  );
}
