export interface SheetColumn {
  label: string;
  /** in mm; a column without a width takes the remaining space */
  width?: number;
  align: "left" | "right";
  /** `strong` is set in the largest size of a row; `rule` is a line to write on */
  style?: "strong" | "rule";
}

export interface SheetRow {
  cells: string[];
  detail?: string;
}

export interface Sheet {
  title: string;
  note: string;
  number: string;
  fileName: string;
  sender: string[];
  facts: { label: string; value: string }[];
  /** printable ASCII, set as Code 128 */
  blocks: { label: string; lines: string[]; barCode?: string }[];
  columns: SheetColumn[];
  rows: SheetRow[];
  sums: { label: string; value: string }[];
  total: { label: string; value: string };
  footer: { label: string; text: string; rule?: boolean }[];
}

export type Paper = "a4" | "letter";

export interface SheetRenderer {
  /** null if too many sheets wait to be rendered */
  render: (sheet: Sheet, paper: Paper) => Promise<Uint8Array | null>;
}
