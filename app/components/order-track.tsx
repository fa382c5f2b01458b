import { labels } from "../../shop/texts/specification.ts";

interface OrderTrackProps {
  status: "unpaid" | "paid" | "partly_shipped" | "shipped" | "refunded" | "cancelled";
  /** the buyer sees Shipping where the admin sees Shipped (specification, section 4) */
  side?: "buyer" | "admin";
}

/** Unpaid fills one of three cells, paid two, partly shipped two and a half, shipped three, others none. */
export function OrderTrack({ status, side = "buyer" }: OrderTrackProps) {
  const { unpaid, paid, shipped, shipping, refunded } = labels.orders;
  const texts = {
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
      {texts[status]}
    </span>
  );
}
