import { useCallback, useEffect, useMemo, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import { call } from "../../data/api-client.ts";
import { useOnReturn } from "../../data/use-on-return.ts";
import { type CartRow, toCheckLine } from "./cart-rows.ts";
import { addResolutions, type Resolution } from "./resolutions.ts";
import type { CartRows } from "./use-cart-rows.ts";

export interface CheckedRow {
  row: CartRow;
  /** undefined until the first response */
  line: CheckedLine | undefined;
  /** the response is about an earlier text or quantity */
  isStale: boolean;
}

const PAUSE_MS = 150;
const RETRY_MS = 3000;
/** Lines per request: larger responses would block the main thread noticeably. */
const BATCH = 1000;
/** With more rows than a batch, those in view are checked first, so that they render in a separate task. */
const FIRST_BATCH = 100;

interface Known {
  /** the request */
  about: string;
  line: CheckedLine;
}

/** The rows with the store's check of each. Only changed rows are checked again. */
export function useCheckedRows({ rows, amend }: CartRows): {
  checked: CheckedRow[];
  failure: string | null;
  isChecking: boolean;
  /** checks every row again: stock and prices may have changed */
  recheck: () => void;
} {
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  const checked = useMemo(
    () =>
      rows.map((row): CheckedRow => {
        const one = known.get(row.key);
        return { row, line: one && seenBy(row, one.line), isStale: one?.about !== questionOf(row) };
      }),
    [rows, known],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt follows each failure
  useEffect(() => {
    const stale = checked.flatMap(({ row, isStale }) => (isStale ? row : []));
    const isStart = stale.length === rows.length && stale.length > BATCH;
    const due = stale.slice(0, isStart ? FIRST_BATCH : BATCH);
    if (due.length === 0) return;
    const aborter = new AbortController();
    const check = async () => {
      const body = { lines: due.map(toCheckLine) };
      const outcome = await call("checkLines", { body }, aborter.signal).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve)); // updates in a task apart from parsing the response
      if (!outcome || aborter.signal.aborted) return; // the rows changed meanwhile
      if (!outcome.ok) {
        setFailure(outcome.detail);
        setAttempt((now) => now + 1);
        return;
      }
      setFailure(null);
      const found = new Map(due.map((row, at) => [row.key, outcome.data.lines[at] as CheckedLine]));
      setKnown((now) => remember(now, rows, found));
      amend((present) => resolve(present, found));
    };
    const isFirst = known.size === 0 || stale.length > FIRST_BATCH;
    const timer = setTimeout(check, failure ? RETRY_MS : isFirst ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [checked, attempt]);

  const recheck = useCallback(
    () => setKnown((now) => new Map([...now].map(([key, { line }]) => [key, { about: "", line }]))),
    [],
  );
  useOnReturn(recheck);

  const isChecking = checked.some(({ isStale }) => isStale);
  return { checked, failure, isChecking, recheck };
}

/** Without the price, which does not affect the check. */
function questionOf({ productId, text, quantity }: CartRow): string {
  return `${productId ?? text}\n${quantity}`;
}

/** Drops the results of removed rows. */
function remember(
  known: ReadonlyMap<string, Known>,
  rows: readonly CartRow[],
  found: ReadonlyMap<string, CheckedLine>,
): ReadonlyMap<string, Known> {
  const next = new Map<string, Known>();
  for (const row of rows) {
    const line = found.get(row.key);
    const before = known.get(row.key);
    if (!line) {
      if (before) next.set(row.key, before);
      continue;
    }
    const resolved = { key: line.productId ?? row.key, productId: line.productId, text: row.text };
    const quantity = row.quantity === "" ? (line.quantity ?? "") : row.quantity;
    next.set(row.key, { about: questionOf(row), line });
    // the row gets the key of its product, and so does its result, unless that line had one
    if (!row.productId && line.productId && !known.has(line.productId))
      next.set(line.productId, { about: questionOf({ ...resolved, quantity }), line });
  }
  return next;
}

/** Completes a matched row: the product for its text, the minimum order for an empty quantity, the current price. */
function resolve(rows: CartRow[], found: ReadonlyMap<string, CheckedLine>): CartRow[] {
  const resolutions = new Map<string, Resolution>();
  const products = new Set(rows.flatMap(({ productId }) => productId ?? []));
  let changed = false;
  const next = rows.map((row) => {
    const line = found.get(row.key);
    if (!line?.productId) return row;
    const isNew = !row.productId;
    const quantity = row.quantity === "" ? (line.quantity ?? "") : row.quantity;
    const price = row.price ?? line.price;
    if (!isNew && quantity === row.quantity && price === row.price) return row;
    changed = true;
    if (isNew && typeof quantity === "number") {
      const isMerged = products.has(line.productId);
      resolutions.set(row.key, { productId: line.productId, quantity, isMerged });
      products.add(line.productId);
    }
    return { ...row, productId: line.productId, quantity, price };
  });
  addResolutions(resolutions);
  return changed ? next : rows;
}

/** A price problem refers to the price that was sent; it is resolved once the new one is accepted. */
function seenBy(row: CartRow, line: CheckedLine): CheckedLine {
  if (line.code !== "price_changed" || (row.price ?? 0) < (line.price ?? 0)) return line;
  const { code: _, detail: __, previousPrice: ___, ...rest } = line;
  return rest;
}
