import { dashboardPages } from "virtual:dashboard-pages";
import { useEffect, useState } from "react";
import { count } from "../../../components/format.ts";
import { call } from "../../../data/api-client.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";

/** One place to go to. */
export interface PaletteItem {
  to: string;
  label: string;
  note: string;
}

const itemOf = (path: string, label: string): PaletteItem => ({
  to: `/dashboard/${path}`,
  label,
  note: "Page",
});

const pages: PaletteItem[] = [
  ...dashboardPages.filter(({ menu }) => menu !== "user").map(({ name, label }) => itemOf(name, label)),
  itemOf("manageOrder?status=paid&sort=waiting", "Paid orders to ship"),
  itemOf("manageProduct?low=1&sort=stock", "Tools with low stock"),
];

const PAUSE_MS = 150;
const MOST = 5;

/** What can be gone to, and whether the store is still asked for more. */
export interface PaletteItems {
  choices: PaletteItem[];
  asking: boolean;
  /** of the pages, tools and orders, not of the lists that can be searched */
  found: number;
  /** the message of a failed search */
  error?: string | undefined;
}

/** Pages whose name has what is typed, at once; then the tools and orders that the store finds. */
export function usePaletteItems(typed: string): PaletteItems {
  const [answer, setAnswer] = useState<Answer & { q: string }>({ q: "", choices: [] });
  const q = typed.trim();
  useEffect(() => {
    if (q.length < 2) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      find(q, stop.signal).then(
        (found) => setAnswer({ q, ...found }),
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
  if (q.length < 2) return { choices: named, asking: false, found: named.length };
  const asking = answer.q !== q;
  const things = [...named, ...(asking ? [] : answer.choices)];
  const error = asking ? undefined : answer.error;
  return { choices: [...things, ...searches(q)], asking, found: things.length, error };
}

type Answer = Pick<PaletteItems, "choices" | "error">;

async function find(q: string, signal: AbortSignal): Promise<Answer> {
  const [tools, orders] = await Promise.all([
    call("searchProducts", { query: { q, limit: MOST } }, signal),
    call("searchPurchases", { query: { q, limit: MOST } }, signal),
  ]);
  const failed = [tools, orders].find(({ ok }) => !ok);
  const choices = [
    ...(tools.ok ? tools.data.products : []).map((tool) => ({
      to: `/dashboard/editProduct/${tool._id}`,
      label: `Edit ${tool.name}`,
      note: tool.itemNumber ?? "Tool",
    })),
    ...(orders.ok ? orders.data.orders : []).map((order) => ({
      to: `/dashboard/order/${order._id}`,
      label: `${count(order.purchaseQuantity)} × ${order.productName}`,
      note: `${order.name}, ${fulfillmentStatusOf(order)}`,
    })),
  ];
  return { choices, error: failed && !failed.ok ? failed.detail : undefined };
}

/** The lists themselves, searched: for when there is more than fits here. */
function searches(q: string): PaletteItem[] {
  const words = encodeURIComponent(q);
  return [
    { to: `/dashboard/manageOrder?q=${words}`, label: `Orders matching “${q}”`, note: "Search" },
    { to: `/dashboard/manageProduct?q=${words}`, label: `Tools matching “${q}”`, note: "Search" },
    { to: `/dashboard/makeAdmin?q=${words}`, label: `Users matching “${q}”`, note: "Search" },
  ];
}
