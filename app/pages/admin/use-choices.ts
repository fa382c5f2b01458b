import { useEffect, useState } from "react";
import { labels } from "../../../shop/messages.ts";
import { call } from "../../api-client.ts";
import { standOf } from "../../orders/stand.ts";
import { count } from "../../ui/format.ts";

/** One place to go to. */
export interface Choice {
  to: string;
  label: string;
  note: string;
}

const { profile, manageOrders, addTool, manageProducts, makeAdmin } = labels.menu;

const pages: Choice[] = [
  ["overview", "Overview"],
  ["manageOrder", manageOrders],
  ["manageOrder?status=paid&sort=oldest", "Paid orders to ship"],
  ["addProduct", addTool],
  ["manageProduct", manageProducts],
  ["manageProduct?low=1&sort=stock", "Tools with low stock"],
  ["makeAdmin", makeAdmin],
  ["history", "History"],
  ["books", "Books"],
  ["activity", "Activity"],
  ["mails", "Mails"],
  ["profile", profile],
  ["account", "Account"],
].map(([path, label]) => ({ to: `/dashboard/${path}`, label: label ?? "", note: "Page" }));

const PAUSE_MS = 150;
const MOST = 5;

/** Pages whose name has what is typed, at once; then the tools and orders that the store finds. */
export function useChoices(typed: string): Choice[] {
  const [found, setFound] = useState<{ q: string; choices: Choice[] }>({ q: "", choices: [] });
  const q = typed.trim();
  useEffect(() => {
    if (q.length < 2) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      find(q, stop.signal).then(
        (choices) => setFound({ q, choices }),
        (error) => {
          if (!stop.signal.aborted) throw error;
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [q]);
  const named = pages.filter(({ label }) => label.toLowerCase().includes(q.toLowerCase()));
  if (q.length < 2) return named;
  return [...named, ...(found.q === q ? found.choices : []), ...searches(q)];
}

async function find(q: string, signal: AbortSignal): Promise<Choice[]> {
  const [tools, orders] = await Promise.all([
    call("searchProducts", { query: { q, limit: MOST } }, signal),
    call("searchOrders", { query: { q, limit: MOST } }, signal),
  ]);
  return [
    ...(tools.ok ? tools.data.products : []).map((tool) => ({
      to: `/dashboard/editProduct/${tool._id}`,
      label: `Edit ${tool.name}`,
      note: tool.itemNumber ?? "Tool",
    })),
    ...(orders.ok ? orders.data.orders : []).map((order) => ({
      to: `/dashboard/order/${order._id}`,
      label: `${count(order.purchaseQuantity)} × ${order.productName}`,
      note: `${order.name}, ${standOf(order)}`,
    })),
  ];
}

/** The lists themselves, searched: for when there is more than fits here. */
function searches(q: string): Choice[] {
  const words = encodeURIComponent(q);
  return [
    { to: `/dashboard/manageOrder?q=${words}`, label: `All orders with “${q}”`, note: "Search" },
    { to: `/dashboard/manageProduct?q=${words}`, label: `All tools with “${q}”`, note: "Search" },
    { to: `/dashboard/makeAdmin?q=${words}`, label: `All users with “${q}”`, note: "Search" },
  ];
}
