import { useCallback, useEffect, useRef, useState } from "react";
import type { Product } from "../../../../api/entities.ts";
import { call } from "../../../data/api-client.ts";
import type { ProductQuery } from "./product-search.ts";

export const GRID_PAGE = 100;

/** Pages kept in memory, besides the focused row's; others are reloaded when scrolled to. */
const MAX_PAGES = 20;

type Pages = ReadonlyMap<number, Product[]>;

/** The products around the visible part of a list of any length. */
export function useProductWindow(query: ProductQuery, firstPage: Product[]) {
  const [pages, setPages] = useState<Pages>(() => new Map([[0, firstPage]]));
  const [shownFirstPage, setShownFirstPage] = useState(firstPage);
  if (shownFirstPage !== firstPage) {
    // another search, or the list was reloaded
    setShownFirstPage(firstPage);
    setPages(new Map([[0, firstPage]]));
  }
  /** by id; a list that responds later may have been read before */
  const [saved, setSaved] = useState<ReadonlyMap<string, Product>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  // a response that arrives when another list is shown is dropped
  const listRef = useRef({ firstPage, pending: new Map<number, Promise<Product[] | null>>() });
  if (listRef.current.firstPage !== firstPage) listRef.current = { firstPage, pending: new Map() };
  // by id, also of products that are no longer in memory
  const indexes = useRef(new Map<string, number>());
  const search = JSON.stringify(query);

  /** The products of a page; null if they could not be loaded, or another list is shown. */
  const load = useCallback(
    (page: number): Promise<Product[] | null> => {
      const current = listRef.current;
      async function request() {
        const outcome = await call("searchProducts", {
          query: { ...(JSON.parse(search) as ProductQuery), limit: GRID_PAGE, offset: page * GRID_PAGE },
        });
        current.pending.delete(page);
        if (current !== listRef.current) return null;
        if (!outcome.ok) {
          setFailure(outcome.detail);
          return null;
        }
        const { products } = outcome.data;
        setFailure(null);
        // without its product the row would lose the focus and what is typed in it
        const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
        const focusedPage = Math.floor(Number(focused) / GRID_PAGE);
        setPages((before) => {
          const after = new Map(before).set(page, products);
          const farthestFirst = [...after.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page));
          for (const farPage of farthestFirst.slice(0, Math.max(0, after.size - MAX_PAGES)))
            if (farPage !== focusedPage) after.delete(farPage);
          return after;
        });
        return products;
      }
      const response = current.pending.get(page) ?? request();
      current.pending.set(page, response);
      return response;
    },
    [search],
  );

  const [range, setRange] = useState<[number, number]>([0, 0]);
  const [from, to] = range;
  useEffect(() => {
    // pages that are only scrolled past are not loaded
    const timer = setTimeout(() => {
      for (let page = from; page <= to; page += 1) if (!pages.has(page)) void load(page);
    }, 60);
    return () => clearTimeout(timer);
  }, [from, to, pages, load]);

  const showRows = useCallback((first: number, last: number) => {
    const next = [Math.floor(first / GRID_PAGE), Math.floor(last / GRID_PAGE)] as [number, number];
    setRange((current) => (current[0] === next[0] && current[1] === next[1] ? current : next));
  }, []);

  const latestOf = (product: Product | undefined) => {
    const own = product && saved.get(product._id);
    return own && (own.version ?? 1) > (product.version ?? 1) ? own : product;
  };
  const at = (index: number) => latestOf(pages.get(Math.floor(index / GRID_PAGE))?.[index % GRID_PAGE]);

  useEffect(() => {
    for (const [page, rows] of pages)
      for (const [row, { _id }] of rows.entries()) indexes.current.set(_id, page * GRID_PAGE + row);
  }, [pages]);
  const indexOf = useCallback((product: Product) => indexes.current.get(product._id) ?? 0, []);

  const replace = useCallback((product: Product) => {
    setSaved((before) => new Map(before).set(product._id, product));
  }, []);

  /** Consecutive products, also those that are not in memory; null as in `load`. */
  async function readRange(from: number, count: number): Promise<(Product | undefined)[] | null> {
    const known = new Map(pages);
    const rows: (Product | undefined)[] = [];
    for (let index = from; index < from + count; index += 1) {
      const page = Math.floor(index / GRID_PAGE);
      const products = known.get(page) ?? (await load(page));
      if (!products) return null;
      known.set(page, products);
      rows.push(latestOf(products[index % GRID_PAGE]));
    }
    return rows;
  }

  function retry() {
    for (let page = from; page <= to; page += 1) void load(page);
  }

  return { at, readRange, indexOf, showRows, replace, failure, retry };
}
