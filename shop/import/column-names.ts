/** The columns of imports and exports, and the headings that mean them. Pure: also for the page of imports. */

/** The columns of the table of products that an import sets. */
export const IMPORTED_COLUMNS = [
  "item_number",
  "name",
  "category",
  "price_cents",
  "price_breaks",
  "minimum_order",
  "order_multiple",
  "quantity",
  "reorder_point",
  "description",
  "picture",
] as const;

export type ImportedColumn = (typeof IMPORTED_COLUMNS)[number];

export const toFileColumn = <Name extends string>(column: Name) =>
  (column === "price_cents" ? "price" : column) as Exclude<Name, "price_cents"> | "price";

export const COLUMNS = IMPORTED_COLUMNS.map(toFileColumn);
export type FileColumn = (typeof COLUMNS)[number];

const aliases: Record<string, FileColumn> = {
  item: "item_number",
  item_no: "item_number",
  itemnumber: "item_number",
  sku: "item_number",
  article_number: "item_number",
  product: "name",
  product_name: "name",
  tool: "name",
  unit_price: "price",
  breaks: "price_breaks",
  minimum: "minimum_order",
  multiple: "order_multiple",
  stock: "quantity",
  available_in_stock: "quantity",
  reorder: "reorder_point",
  image: "picture",
  picture_url: "picture",
};

/** Columns of the store's own exports that an import ignores. */
const IGNORED_HEADINGS = ["archived", "reason"];

export const isKnown = (heading: string) =>
  columnOf(heading) !== undefined || IGNORED_HEADINGS.includes(heading.trim().toLowerCase());

export function columnOf(heading: string): FileColumn | undefined {
  const name = heading
    .trim()
    .toLowerCase()
    .replace(/[\s.\-/]+/g, "_");
  return COLUMNS.find((column) => column === name) ?? aliases[name];
}
