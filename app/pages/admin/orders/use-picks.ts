import { useState } from "react";
import type { ListedOrder } from "./use-orders.ts";

export interface Picks {
  /** on all pages of the list */
  rows: ListedOrder[];
  has: (id: string) => boolean;
  set: (rows: ListedOrder[], picked: boolean) => void;
  clear: () => void;
}

/** The selected rows; the selection persists across pages and filters. */
export function usePicks(): Picks {
  const [picked, setPicked] = useState<ReadonlyMap<string, ListedOrder>>(new Map());
  return {
    rows: [...picked.values()],
    has: (id) => picked.has(id),
    set(rows, isPicked) {
      setPicked((before) => {
        const after = new Map(before);
        for (const row of rows) {
          if (isPicked) after.set(row._id, row);
          else after.delete(row._id);
        }
        return after;
      });
    },
    clear: () => setPicked(new Map()),
  };
}
