import { labels } from "../../shop/messages.ts";

interface OrderTrackProps {
  status: "unpaid" | "paid" | "shipped";
  /** the buyer reads Shipping where the admin reads Shipped (specification, section 4) */
  side?: "buyer" | "admin";
}

/** Three cells: one filled is unpaid, two paid, three shipped. Shape and word carry it; colour only helps. */
export function OrderTrack({ status, side = "buyer" }: OrderTrackProps) {
  const { unpaid, paid, shipped, shipping } = labels.orders;
  const words = { unpaid, paid, shipped: side === "buyer" ? shipping : shipped };
  return (
    <span className={`track track--${status}`}>
      <i aria-hidden="true">
        <b />
      </i>
      {words[status]}
    </span>
  );
}
