/** The columns of imports and exports, and the headings that mean them. Pure: also for the page of imports. */

export const COLUMNS = [
  "item_number",
  "name",
  "category",
  "price",
  "price_breaks",
  "minimum_order",
  "order_multiple",
  "quantity",
  "reorder_point",
  "description",
  "picture",
] as const;

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
