import { dashboardPages } from "virtual:dashboard-pages";
import { useEffect, useState } from "react";
import type { Output } from "../../../../api/contract.ts";
import { count, counted } from "../../../components/format.ts";
import { call } from "../../../data/api-client.ts";
import { fulfillmentStatusOf } from "../../orders/fulfillment-status.ts";

export interface PaletteItem {
  to: string;
  label: string;
  note: string;
}

const pageItem = (path: string, label: string): PaletteItem => ({
  to: `/dashboard/${path}`,
  label,
  note: "Page",
});

const pages: PaletteItem[] = [
  ...dashboardPages.filter(({ menu }) => menu !== "user").map(({ name, label }) => pageItem(name, label)),
  pageItem("manageOrder?status=paid&sort=waiting", "Paid orders to ship"),
  pageItem("manageProduct?low=1&sort=stock", "Tools below four minimum orders"),
];

const DEBOUNCE_MS = 150;
const MAX_RESULTS = 5;
/** lines of the same order are one result */
const MAX_LINES = 50;

export interface PaletteItems {
  choices: PaletteItem[];
  isSearching: boolean;
  /** of pages, products and orders, without the searchable lists */
  resultCount: number;
  error?: string | undefined;
}

/** Matching pages at once; then products and orders from the store. */
export function usePaletteItems(query: string): PaletteItems {
  const [result, setResult] = useState<SearchResult & { q: string }>({ q: "", choices: [] });
  const q = query.trim();
  useEffect(() => {
    if (q.length < 2) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      search(q, controller.signal).then(
        (searchResult) => setResult({ q, ...searchResult }),
        (error) => {
          if (!controller.signal.aborted) throw error;
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q]);
  const matchingPages = pages.filter(({ label }) => label.toLowerCase().includes(q.toLowerCase()));
  if (q.length < 2) return { choices: matchingPages, isSearching: false, resultCount: matchingPages.length };
  const isSearching = result.q !== q;
  const results = [...matchingPages, ...(isSearching ? [] : result.choices)];
  const error = isSearching ? undefined : result.error;
  return { choices: [...results, ...searchLinks(q)], isSearching, resultCount: results.length, error };
}

type SearchResult = Pick<PaletteItems, "choices" | "error">;

async function search(q: string, signal: AbortSignal): Promise<SearchResult> {
  const [tools, orders] = await Promise.all([
    call("searchProducts", { query: { q, limit: MAX_RESULTS } }, signal),
    call("searchPurchases", { query: { q, limit: MAX_LINES } }, signal),
  ]);
  const failed = [tools, orders].find(({ ok }) => !ok);
  const choices = [
    ...(tools.ok ? tools.data.products : []).map((tool) => ({
      to: `/dashboard/editProduct/${tool._id}`,
      label: `Edit ${tool.name}`,
      note: tool.itemNumber ?? "Tool",
    })),
    ...(orders.ok ? orderItems(orders.data.orders) : []),
  ];
  return { choices, error: failed && !failed.ok ? failed.detail : undefined };
}

function orderItems(lines: Output<"searchPurchases">["orders"]): PaletteItem[] {
  const orders = new Map(lines.map((line) => [line.orderId, line]));
  return [...orders.values()].slice(0, MAX_RESULTS).map((line) => {
    const { name, orderId, orderNumber, lineCount, purchaseQuantity, productName } = line;
    return lineCount > 1
      ? {
          to: `/dashboard/order/${orderId}`,
          label: `Order ${orderNumber}, ${counted(lineCount, "line")}`,
          note: name,
        }
      : {
          to: `/dashboard/order/${line._id}`,
          label: `${count(purchaseQuantity)} × ${productName}`,
          note: `${name}, ${fulfillmentStatusOf(line)}`,
        };
  });
}

/** Links to the searched lists, if there are more results. */
function searchLinks(q: string): PaletteItem[] {
  const encoded = encodeURIComponent(q);
  return [
    { to: `/dashboard/manageOrder?q=${encoded}`, label: `Orders matching “${q}”`, note: "Search" },
    { to: `/dashboard/manageProduct?q=${encoded}`, label: `Tools matching “${q}”`, note: "Search" },
    { to: `/dashboard/makeAdmin?q=${encoded}`, label: `Users matching “${q}”`, note: "Search" },
  ];
}
