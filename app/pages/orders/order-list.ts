import { labels } from "../../../shop/texts/specification.ts";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";

/** The list that an order belongs to: an admin came from all orders, a buyer from their own. */
export function useOrderList(): { label: string; to: string } {
  const { user } = useDashboard();
  return user.role === "admin"
    ? { label: labels.menu.manageOrders, to: "/dashboard/manageOrder" }
    : { label: labels.menu.orders, to: "/dashboard/orders" };
}
