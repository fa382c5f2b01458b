import { useCallback, useState } from "react";
import type { CheckedLine } from "../../../api/cart-calls.ts";
import type { SavedListLine } from "../../../api/list-calls.ts";

/** Which lines go to the cart: all that can be bought, except those whose checkbox was cleared. */
export function useLineSelection(
  lines: readonly SavedListLine[],
  lineOf: (line: SavedListLine) => CheckedLine | undefined,
) {
  const [unselected, setUnselected] = useState<ReadonlySet<string>>(new Set());
  const selectable = lines.filter((line) => lineOf(line)?.code !== "archived");
  const selected = selectable.filter(({ productId }) => !unselected.has(productId));
  return {
    selected,
    ids: new Set(selected.map(({ productId }) => productId)),
    selectable: selectable.length,
    select: useCallback(
      (productId: string, isSelected: boolean) =>
        setUnselected((now) => {
          const next = new Set(now);
          if (isSelected) next.delete(productId);
          else next.add(productId);
          return next;
        }),
      [],
    ),
    selectAll: (isSelected: boolean) =>
      setUnselected(new Set(isSelected ? [] : lines.map(({ productId }) => productId))),
  };
}
