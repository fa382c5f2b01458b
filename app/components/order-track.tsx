import { labels } from "../../shop/texts/specification.ts";

interface OrderTrackProps {
  status: "unpaid" | "paid" | "shipped" | "refunded";
  /** the buyer reads Shipping where the admin reads Shipped (specification, section 4) */
  side?: "buyer" | "admin";
}

/** Three cells: one filled is unpaid, two paid, three shipped, none given back. Shape and word carry it. */
export function OrderTrack({ status, side = "buyer" }: OrderTrackProps) {
  const { unpaid, paid, shipped, shipping, refunded } = labels.orders;
  const words = { unpaid, paid, shipped: side === "buyer" ? shipping : shipped, refunded };
  return (
    <span className={`track track--${status}`}>
      <i aria-hidden="true">
        <b />
      </i>
      {words[status]}
    </span>
  );
}
