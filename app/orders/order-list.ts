import { labels } from "../../shop/messages.ts";
import { useDashboard } from "../pages/dashboard/layout.tsx";

/** The list that an order belongs to: an admin came from all orders, a buyer from their own. */
export function useOrderList(): { label: string; to: string } {
  const { user } = useDashboard();
  return user.role === "admin"
    ? { label: labels.menu.manageOrders, to: "/dashboard/manageOrder" }
    : { label: labels.menu.orders, to: "/dashboard/orders" };
}
