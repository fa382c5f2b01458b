import { labels } from "../../shop/texts/specification.ts";

interface OrderTrackProps {
  status: "unpaid" | "paid" | "partly_shipped" | "shipped" | "refunded" | "cancelled";
  /** the buyer reads Shipping where the admin reads Shipped (specification, section 4) */
  side?: "buyer" | "admin";
}

/**
 * Three cells: one filled is unpaid, two paid, half of the third partly shipped, three shipped, none refunded or
 * cancelled. Shape and word carry it.
 */
export function OrderTrack({ status, side = "buyer" }: OrderTrackProps) {
  const { unpaid, paid, shipped, shipping, refunded } = labels.orders;
  const words = {
    unpaid,
    paid,
    partly_shipped: "Partly shipped",
    shipped: side === "buyer" ? shipping : shipped,
    refunded,
    cancelled: "Cancelled",
  };
  return (
    <span className={`track track--${status}`}>
      <i aria-hidden="true">
        <b />
      </i>
      {words[status]}
    </span>
  );
}
