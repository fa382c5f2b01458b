import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { MAX_LINES, MAX_PIECES } from "../../../shop/cart/limits.ts";
import { IconButton } from "../../components/button.tsx";
import { count, counted } from "../../components/format.ts";
import { Notice } from "../../components/notice.tsx";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";
import { toCheckLine } from "../cart/cart-rows.ts";
import { parseRows } from "../cart/parse-rows.ts";

export interface PasteResult {
  found: number;
  added: number;
  merged: number;
  skipped: string[];
  merge: (lines: readonly SavedListLine[]) => readonly SavedListLine[];
}

/** Finds the products of pasted rows. The quantity of a product that has a line already is added to that line. */
export async function checkPastedRows(
  text: string,
  existing: readonly SavedListLine[],
): Promise<PasteResult | null> {
  const parsed = parseRows(text, MAX_LINES);
  if (!parsed || parsed.rows.length === 0) {
    toast.error("This could not be read as rows of item number and quantity.");
    return null;
  }
  const response = await call("checkLines", {
    body: { lines: parsed.rows.map(toCheckLine) },
  });
  if (!response.ok) {
    toast.error(response.detail);
    return null;
  }
  const skipped = parsed.skipped.map(({ reason }) => reason);
  if (parsed.found > parsed.rows.length + skipped.length)
    skipped.push(`Rows after the first ${count(MAX_LINES)} were left out.`);
  const known = new Set(existing.map(({ productId }) => productId));
  const pieces = new Map<string, number>();
  let added = 0;
  let merged = 0;
  for (const [index, line] of response.data.lines.entries()) {
    const { productId = "", quantity = 0, detail } = line;
    const row = parsed.rows[index];
    if (!canBeLine(line)) skipped.push(`Line ${count(row?.lineNumber ?? index + 1)}: ${detail}`);
    else if (!known.has(productId) && !pieces.has(productId) && existing.length + added >= MAX_LINES)
      skipped.push(
        `Line ${count(row?.lineNumber ?? index + 1)}: A list has at most ${counted(MAX_LINES, "line")}.`,
      );
    else {
      if (known.has(productId) || pieces.has(productId)) merged += 1;
      else added += 1;
      pieces.set(productId, (pieces.get(productId) ?? 0) + quantity);
    }
  }
  return {
    found: parsed.found,
    added,
    merged,
    skipped,
    merge(lines) {
      const sums = new Map(lines.map((line) => [line.productId, line.quantity]));
      for (const [productId, quantity] of pieces)
        sums.set(productId, Math.min(MAX_PIECES, (sums.get(productId) ?? 0) + quantity));
      return [...sums].map(([productId, quantity]) => ({ productId, quantity }));
    },
  };
}

/** A list has lines that cannot be ordered now, but none without a product that is sold or without pieces. */
export function canBeLine(line: CheckedLine): line is CheckedLine & SavedListLine {
  const isSold = line.productId !== undefined && line.code !== "archived";
  return isSold && line.code !== "bad_quantity";
}

const MAX_SHOWN = 20;

export function PasteSummary({ result, onClose }: { result: PasteResult; onClose: () => void }) {
  const { found, added, merged, skipped } = result;
  const parts = [
    `${counted(found, "row")} pasted: ${count(added)} added`,
    merged > 0 && `${count(merged)} merged into a line`,
    skipped.length > 0 && `${count(skipped.length)} left out`,
  ].filter(Boolean);
  return (
    <div className="list-paste">
      <Notice kind={skipped.length > 0 ? "warn" : "info"}>
        <p>{`${parts.join(", ")}.`}</p>
        {skipped.length > 0 && (
          <ul>
            {skipped.slice(0, MAX_SHOWN).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {skipped.length > MAX_SHOWN && (
          <details>
            <summary>{`and ${count(skipped.length - MAX_SHOWN)} more`}</summary>
            <p className="list-paste__rest">{skipped.slice(MAX_SHOWN).join("\n")}</p>
          </details>
        )}
      </Notice>
      <IconButton icon="close" label="Close the report" onClick={onClose} />
    </div>
  );
}
