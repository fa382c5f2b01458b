import { labels } from "../../../shop/texts/specification.ts";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";

/** The list to return to: all orders for an admin, the buyer's own otherwise. */
export function useOrderList(): { label: string; to: string } {
  const { user } = useDashboard();
  return user.role === "admin"
    ? { label: labels.menu.manageOrders, to: "/dashboard/manageOrder" }
    : { label: labels.menu.orders, to: "/dashboard/orders" };
}
