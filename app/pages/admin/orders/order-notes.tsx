import { Link } from "react-router";
import type { Output } from "../../../../api/contract.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { NotesPanel } from "../notes-panel.tsx";

interface OrderNotesProps {
  orderId: string;
  outcome: Outcome<Output<"listOrderNotes">>;
}

/** The notes about an order, with a link to its customer. */
export function OrderNotes({ orderId, outcome }: OrderNotesProps) {
  const loaded = useLoaderResult(outcome);
  return (
    <QueryBoundary loaded={loaded} failed="The notes could not be loaded.">
      {({ notes, customerId }) => (
        <NotesPanel
          notes={notes}
          add="addOrderNote"
          id={orderId}
          aside={
            <Link className="link" to={`/dashboard/customers/${customerId}`} prefetch="intent">
              View customer
            </Link>
          }
          onChange={(update) => loaded.change((data) => ({ ...data, notes: update(data.notes) }))}
        />
      )}
    </QueryBoundary>
  );
}
