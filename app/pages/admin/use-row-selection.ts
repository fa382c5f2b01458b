import { useState } from "react";

export interface RowSelection<Row> {
  /** on all pages of the list */
  rows: Row[];
  has: (id: string) => boolean;
  set: (rows: Row[], selected: boolean) => void;
  /** Replaces those of `rows` that are still selected. */
  update: (rows: Row[]) => void;
  clear: () => void;
}

/** The selected rows; the selection persists across pages and filters. Those among `latest` are as they are there. */
export function useRowSelection<Row extends { _id: string }>(latest?: Row[]): RowSelection<Row> {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [seen, setSeen] = useState(latest);
  if (latest && latest !== seen) {
    setSeen(latest);
    const selectedAgain = latest.filter(({ _id }) => selected.has(_id));
    if (selectedAgain.length > 0)
      setSelected(new Map([...selected, ...selectedAgain.map((row) => [row._id, row] as const)]));
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
    update: (rows) =>
      setSelected((before) => {
        const stillSelected = rows.filter(({ _id }) => before.has(_id));
        return new Map([...before, ...stillSelected.map((row) => [row._id, row] as const)]);
      }),
    clear: () => setSelected(new Map()),
  };
}
