import { useEffect, useState } from "react";
import { useLocation } from "react-router";

export interface RowSelection<Row> {
  /** on all pages of the list */
  rows: Row[];
  has: (id: string) => boolean;
  set: (rows: Row[], selected: boolean) => void;
  /** Replaces those of `rows` that are still selected. */
  update: (rows: Row[]) => void;
  clear: () => void;
}

type Selected<Row> = ReadonlyMap<string, Row>;

/** The last selection of a list, and the entry of the browser's history at which it was left. */
let left: { key: string; selected: Selected<unknown> } | null = null;

/**
 * The selected rows; the selection persists across pages and filters, and Back from another page returns to it. Those
 * among `latest` are as they are there.
 */
export function useRowSelection<Row extends { _id: string }>(latest?: Row[]): RowSelection<Row> {
  const { key } = useLocation();
  const [selected, setSelected] = useState(
    () => (left?.key === key ? left.selected : new Map()) as Selected<Row>,
  );
  useEffect(() => {
    left = { key, selected };
  }, [key, selected]);
  /** Replaces those of `rows` that are selected. */
  const update = (rows: Row[]) =>
    setSelected((before) => {
      const stillSelected = rows.filter(({ _id }) => before.has(_id));
      return new Map([...before, ...stillSelected.map((row) => [row._id, row] as const)]);
    });
  const [seen, setSeen] = useState<Row[]>();
  if (latest && latest !== seen) {
    setSeen(latest);
    update(latest);
  }
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
    update,
    clear: () => setSelected(new Map()),
  };
}
