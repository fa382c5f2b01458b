import { useState } from "react";
import type { ListedOrder } from "./use-orders.ts";

export interface RowSelection {
  /** on all pages of the list */
  rows: ListedOrder[];
  has: (id: string) => boolean;
  set: (rows: ListedOrder[], selected: boolean) => void;
  clear: () => void;
}

/** The selected rows; the selection persists across pages and filters. */
export function useRowSelection(): RowSelection {
  const [selected, setSelected] = useState<ReadonlyMap<string, ListedOrder>>(new Map());
  return {
    rows: [...selected.values()],
    has: (id) => selected.has(id),
    set(rows, isSelected) {
      setSelected((before) => {
        const after = new Map(before);
        for (const row of rows) {
          if (isSelected) after.set(row._id, row);
          else after.delete(row._id);
        }
        return after;
      });
    },
    clear: () => setSelected(new Map()),
  };
}
