import { useCallback, useEffect, useState } from "react";
import { Link } from "react-router";
import type { Order, Purchase } from "../../../api/entities.ts";
import type { OrderDetails } from "../../../api/order-calls.ts";
import { counted } from "../../components/format.ts";
import { ErrorState } from "../../components/states.tsx";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";
import { OrderAgain } from "./order-again.tsx";
import { OrderLinesTable } from "./order-lines-table.tsx";

const MAX_LINES = 50;
const MAX_PLACEHOLDERS = 8;

/** Orders that were loaded before, shown at once when their row is opened again. */
export type LoadedOrders = Map<string, { state: string; details: OrderDetails }>;

/** The lines of an order below its row in My Orders, with links to its documents. */
export function OrderRowLines({ order, loaded }: { order: Order; loaded: LoadedOrders }) {
  const { details, problem, load } = useDetails(order, loaded);
  const to = `/dashboard/order/${order._id}`;
  // the list contains the first lines of each order
  const lines = details?.lines ?? (order.lines.length === order.lineCount ? order.lines : null);
  const rest = (lines?.length ?? 0) - MAX_LINES;
  return (
    <>
      {problem && (
        <ErrorState onRetry={() => void load()}>The lines could not be loaded. {problem}</ErrorState>
      )}
      {lines ? (
        <OrderLinesTable
          caption={`Lines of order ${order.number}`}
          lines={lines.slice(0, MAX_LINES)}
          linkTo={({ productId }) => `/product/${productId}`}
        />
      ) : (
        !problem && <Placeholders lines={order.lineCount} />
      )}
      <div className="sub__foot">
        {rest > 0 && (
          <Link className="link" to={to}>
            The other {rest === 1 ? "line" : counted(rest, "line")}
          </Link>
        )}
        <Link className="link" to={to} aria-label={`Order page of order ${order.number}`}>
          Order page
        </Link>
        {details?.documents.map(
          ({ kind, number, href }) =>
            (kind === "invoice" || kind === "packingSlip") && (
              <a className="link" href={href} key={href}>
                {kind === "invoice" ? "Invoice" : "Packing slip"} {number}
              </a>
            ),
        )}
        <OrderAgain
          size="sm"
          subject={`order ${order.number}`}
          findLines={() => details?.lines.filter((line) => !line.cancelledAt) ?? findLinesOf(order)}
        />
      </div>
    </>
  );
}

function stateOf({ status, total, shippedPieces }: Order): string {
  return [status, total, shippedPieces].join(" ");
}

/** Loads the order when it is first shown, and again when it has changed in the list. */
function useDetails(order: Order, loaded: LoadedOrders) {
  const { _id: id } = order;
  const state = stateOf(order);
  const [details, setDetails] = useState(loaded.get(id)?.details);
  const [problem, setProblem] = useState<string>();
  const load = useCallback(async () => {
    const outcome = await call("findOrderDetails", { params: { id } });
    if (outcome.ok) {
      loaded.set(id, { state, details: outcome.data });
      setDetails(outcome.data);
    }
    setProblem(outcome.ok ? undefined : outcome.detail);
  }, [id, state, loaded]);
  useEffect(() => {
    if (loaded.get(id)?.state !== state) void load();
  }, [id, state, loaded, load]);
  return { details, problem, load };
}

function Placeholders({ lines }: { lines: number }) {
  return (
    <div className="sub__wait" aria-busy="true" role="status">
      <span className="vh">Loading the lines</span>
      {Array.from({ length: Math.min(lines, MAX_PLACEHOLDERS) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <i key={index} aria-hidden="true" />
      ))}
    </div>
  );
}

/** The lines of an order, without cancelled ones; null after a failure, which a toast reports. */
export async function findLinesOf({ _id, lines, lineCount }: Order): Promise<Purchase[] | null> {
  if (lines.length === lineCount) return lines;
  const outcome = await call("findOrderDetails", { params: { id: _id } });
  if (outcome.ok) return outcome.data.lines.filter((line) => !line.cancelledAt);
  toast.error(outcome.detail);
  return null;
}
