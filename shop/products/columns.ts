/** The columns of a product, for the statements that read and write them. */
import type { Request } from "../../api/contract.ts";
import type { Product } from "../../api/entities.ts";
import type { ProductRow } from "../../database/schema.ts";
import { fromCents, toCents } from "../money.ts";

const SHORT = [
  "name",
  "picture",
  "price_cents",
  "minimum_order",
  "order_multiple",
  "price_breaks",
  "item_number",
  "category",
  "key_fact",
  "power_source",
] as const;

/** A row of a list does not show these, nor the description. */
const LONG = ["technical_data", "drawn_box", "dimensions"] as const;

const FORM = [...SHORT, "description", ...LONG] as const;
type FormColumn = (typeof FORM)[number];

/** What the form of a product sets; the stock and what admins alone see are set apart. */
export const FORM_COLUMNS = FORM.join(", ");

/** Without columns that no response shows; dates are slow to parse. */
export type ProductColumns = Pick<ProductRow, FormColumn | "id" | "quantity" | "version">;

const LIST_COLUMNS = `product.id, product.quantity, product.version, ${SHORT.map((column) => `product.${column}`).join(", ")}`;
export const PRODUCT_COLUMNS = `${LIST_COLUMNS}, product.description, ${LONG.map((column) => `product.${column}`).join(", ")}`;
/** The same columns, without the content of those that a row of a list does not show. */
export const ROW_COLUMNS = `${LIST_COLUMNS}, '' AS description, ${LONG.map((column) => `NULL::jsonb AS ${column}`).join(", ")}`;

export function toColumns(form: Request<"addProduct">["body"]): Pick<ProductRow, FormColumn> {
  return {
    name: form.name,
    picture: form.picture,
    price_cents: toCents(form.price) as number,
    minimum_order: form.minimum_order,
    order_multiple: form.order_multiple ?? 1,
    price_breaks: (form.price_breaks ?? []).map(({ quantity, price }) => ({
      quantity,
      price_cents: toCents(price) as number,
    })),
    item_number: form.itemNumber ?? null,
    category: form.category ?? null,
    key_fact: form.keyFact ?? null,
    power_source: form.powerSource ?? null,
    description: form.description,
    technical_data: form.technicalData ?? null,
    drawn_box: form.drawnBox ?? null,
    dimensions: form.dimensions ?? null,
  };
}

type PublicProduct = Omit<Product, "pictures" | "reorderPoint" | "archived">;

/** Members without a value are omitted. */
export function toProduct(row: ProductColumns): Product {
  const members: { [Name in keyof PublicProduct]-?: PublicProduct[Name] | null } = {
    _id: row.id,
    name: row.name,
    picture: row.picture,
    price: fromCents(row.price_cents),
    quantity: row.quantity,
    minimum_order: row.minimum_order,
    order_multiple: row.order_multiple === 1 ? null : row.order_multiple,
    price_breaks:
      row.price_breaks.length === 0
        ? null
        : row.price_breaks.map(({ quantity, price_cents }) => ({ quantity, price: fromCents(price_cents) })),
    description: row.description,
    itemNumber: row.item_number,
    category: row.category,
    keyFact: row.key_fact,
    powerSource: row.power_source,
    technicalData: row.technical_data,
    drawnBox: row.drawn_box,
    dimensions: row.dimensions,
    version: row.version,
  };
  const product: Record<string, unknown> = {};
  // Object.entries would double the time of a list
  for (const name in members) {
    const value = members[name as keyof PublicProduct];
    if (value !== null) product[name] = value;
  }
  return product as Product;
}
