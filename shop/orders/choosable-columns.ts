export const CHOOSABLE_COLUMNS = {
  buyer: ["buyer", "email"],
  po: ["po_number"],
  placed: ["placed_at"],
  quantity: ["quantity", "shipped"],
  total: ["price", "total", "refunded"],
} as const;

export type ChoosableColumn = keyof typeof CHOOSABLE_COLUMNS;

export const choosableColumnNames = Object.keys(CHOOSABLE_COLUMNS) as ChoosableColumn[];
