import { useEffect, useMemo, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import { call } from "../../data/api-client.ts";
import { useOnReturn } from "../../data/use-on-return.ts";
import { type CartRow, toCheckLine } from "./cart-rows.ts";

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

interface CheckResult {
  /** the row that was checked, as `requestOf` returns it */
  request: string;
  line: CheckedLine;
  /** valid, but to be checked again */
  isOutdated?: boolean;
}

/** What was found for rows, by their keys. */
export type FoundLines = ReadonlyMap<string, CheckedLine>;

interface RowsToCheck {
  rows: readonly CartRow[];
  /** called with new results */
  onChecked: (found: FoundLines) => void;
}

/** The rows with the store's check of each; `known` are earlier results. Only changed rows are checked again. */
export function useCheckedRows(
  { rows, onChecked }: RowsToCheck,
  known: readonly CheckedLine[] = [],
): {
  checked: CheckedRow[];
  failure: string | null;
  isChecking: boolean;
  /** checks every row again: stock and prices may have changed */
  recheck: () => void;
} {
  const [results, setResults] = useState<ReadonlyMap<string, CheckResult>>(
    () => new Map(known.map((line) => [line.productId ?? "", { request: requestOf(line), line }])),
  );
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);

  const checked = useMemo(
    () =>
      rows.map((row): CheckedRow => {
        const result = results.get(row.key);
        return {
          row,
          line: result && withoutAcceptedPrice(row, result.line),
          isStale: result?.request !== requestOf(row),
        };
      }),
    [rows, results],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes after a failure, to try again
  useEffect(() => {
    const stale = checked.flatMap(({ row, isStale }) =>
      isStale || results.get(row.key)?.isOutdated ? row : [],
    );
    const isStart = stale.length === rows.length && stale.length > BATCH;
    const batch = stale.slice(0, isStart ? FIRST_BATCH : BATCH);
    if (batch.length === 0) return;
    const controller = new AbortController();
    const check = async () => {
      const body = { lines: batch.map(toCheckLine) };
      const outcome = await call("checkLines", { body }, controller.signal).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve)); // updates in a task apart from parsing the response
      if (!outcome || controller.signal.aborted) return; // the rows changed meanwhile
      if (!outcome.ok) {
        setFailure(outcome.detail);
        setAttempt((now) => now + 1);
        return;
      }
      setFailure(null);
      const found = new Map(batch.map((row, index) => [row.key, outcome.data.lines[index] as CheckedLine]));
      setResults((now) => mergeResults(now, rows, found));
      onChecked(found);
    };
    const isFirst = results.size === 0 || stale.length > FIRST_BATCH;
    const timer = setTimeout(check, failure ? RETRY_MS : isFirst ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [checked, attempt]);

  const [recheck, refresh] = useMemo(() => {
    const marking = (mark: Partial<CheckResult>) => () =>
      setResults((now) => new Map([...now].map(([key, result]) => [key, { ...result, ...mark }])));
    return [marking({ request: "" }), marking({ isOutdated: true })];
  }, []);
  // in the background: the press that returns to the window may be on Checkout
  useOnReturn(refresh);

  const isChecking = checked.some(({ isStale }) => isStale);
  return { checked, failure, isChecking, recheck };
}

type Checkable = Pick<CartRow, "productId" | "text"> & { quantity?: CartRow["quantity"] | undefined };

/** Identifies the check of a row. Without the price, which does not affect it. */
function requestOf({ productId, text, quantity }: Checkable): string {
  return `${productId ?? text}\n${quantity}`;
}

/** Adds new results and drops those of removed rows. */
function mergeResults(
  results: ReadonlyMap<string, CheckResult>,
  rows: readonly CartRow[],
  found: FoundLines,
): ReadonlyMap<string, CheckResult> {
  const next = new Map<string, CheckResult>();
  for (const row of rows) {
    const line = found.get(row.key);
    const previous = results.get(row.key);
    if (!line) {
      if (previous) next.set(row.key, previous);
      continue;
    }
    const quantity = row.quantity === "" ? (line.quantity ?? "") : row.quantity;
    next.set(row.key, { request: requestOf(row), line });
    // the row gets the key of its product, and so does its result, unless that line had one
    if (!row.productId && line.productId && !results.has(line.productId))
      next.set(line.productId, { request: requestOf({ productId: line.productId, quantity }), line });
  }
  return next;
}

/** Removes the changed price from the result once the buyer has accepted it. */
function withoutAcceptedPrice(row: CartRow, line: CheckedLine): CheckedLine {
  if (line.code !== "price_changed" || (row.price ?? 0) < (line.price ?? 0)) return line;
  const { code: _, detail: __, previousPrice: ___, ...rest } = line;
  return rest;
}
