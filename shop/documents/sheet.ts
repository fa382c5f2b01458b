/** What is printed on a document, independent of its format. Pure: no imports. */

export interface SheetColumn {
  label: string;
  /** in mm; the column without a width takes what is left */
  width?: number;
  align: "left" | "right";
  /** `strong` is set in the largest figures of a row; `rule` is a line to write on */
  style?: "strong" | "rule";
}

export interface SheetRow {
  /** one for each column */
  cells: string[];
  /** below the text of the column without a width */
  detail?: string;
}

export interface Sheet {
  title: string;
  note: string;
  /** repeated on every page */
  number: string;
  fileName: string;
  sender: string[];
  facts: { label: string; value: string }[];
  /** a bar code is Code 128 of printable ASCII */
  blocks: { label: string; lines: string[]; barCode?: string }[];
  columns: SheetColumn[];
  rows: SheetRow[];
  sums: { label: string; value: string }[];
  total: { label: string; value: string };
  foot: { label: string; text: string; rule?: boolean }[];
}

export type Paper = "a4" | "letter";

/** Renders sheets; off the event loop. */
export interface SheetRenderer {
  render: (sheet: Sheet, paper: Paper) => Promise<Uint8Array>;
}
