import { dashboardPages } from "virtual:dashboard-pages";
import { useEffect, useState } from "react";
import { count } from "../../../components/format.ts";
import { call } from "../../../data/api-client.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";

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
const MAX_RESULTS = 5;

export interface PaletteItems {
  choices: PaletteItem[];
  isSearching: boolean;
  /** of pages, products and orders, without the searchable lists */
  found: number;
  error?: string | undefined;
}

/** Matching pages at once; then products and orders from the store. */
export function usePaletteItems(typed: string): PaletteItems {
  const [result, setResult] = useState<Answer & { q: string }>({ q: "", choices: [] });
  const q = typed.trim();
  useEffect(() => {
    if (q.length < 2) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      find(q, stop.signal).then(
        (found) => setResult({ q, ...found }),
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
  if (q.length < 2) return { choices: named, isSearching: false, found: named.length };
  const isSearching = result.q !== q;
  const places = [...named, ...(isSearching ? [] : result.choices)];
  const error = isSearching ? undefined : result.error;
  return { choices: [...places, ...searches(q)], isSearching, found: places.length, error };
}

type Answer = Pick<PaletteItems, "choices" | "error">;

async function find(q: string, signal: AbortSignal): Promise<Answer> {
  const [tools, orders] = await Promise.all([
    call("searchProducts", { query: { q, limit: MAX_RESULTS } }, signal),
    call("searchPurchases", { query: { q, limit: MAX_RESULTS } }, signal),
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

/** Links to the searched lists, if there are more results. */
function searches(q: string): PaletteItem[] {
  const encoded = encodeURIComponent(q);
  return [
    { to: `/dashboard/manageOrder?q=${encoded}`, label: `Orders matching “${q}”`, note: "Search" },
    { to: `/dashboard/manageProduct?q=${encoded}`, label: `Tools matching “${q}”`, note: "Search" },
    { to: `/dashboard/makeAdmin?q=${encoded}`, label: `Users matching “${q}”`, note: "Search" },
  ];
}
