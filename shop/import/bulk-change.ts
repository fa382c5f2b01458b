import type { BulkChange } from "../../api/import-calls.ts";
import { fromCents } from "../money.ts";
import { matchProducts } from "../products/filter.ts";
import type { Store } from "../store.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { type Column, type ImportedProduct, UnreadableCell, writeCell } from "./columns.ts";
import { EXISTING_COLUMNS, type ExistingProduct } from "./find-existing.ts";
import { compareProduct, type StagedRow } from "./stage.ts";

const BATCH = 200;

const NUMBER_TAKEN = `(archived_at IS NOT NULL AND EXISTS (
  SELECT FROM shop.product other WHERE other.item_number = product.item_number AND other.archived_at IS NULL))`;

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

export const bulkColumns = ({ field }: BulkChange): Column[] => ["item_number", "name", field];

/** In the list of imports: "Price +2.5%". */
export function describeBulkChange({ field, how, value }: BulkChange): string {
  if (field === "archived") return value === "yes" ? "Archived" : "Put back on sale";
  const name = field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
  if (how === "set") return value === "" ? `${name} cleared` : `${name} set to ${value}`;
  const signed = Number(value) > 0 ? `+${value}` : String(value).replace("-", "−");
  return `${name} ${signed}${how === "percent" ? "%" : ""}`;
}

export async function* stageBulkChange(
  { pool }: Store,
  change: BulkChange,
): AsyncGenerator<{ rows: StagedRow[]; progress: number }> {
  const ids = change.ids?.toSorted();
  const { text, values } = matchProducts(ids ? { archived: "all" } : change, 3);
  const counted = await pool.query<{ total: number }>(
    `SELECT count(*) AS total FROM shop.product WHERE ($1::uuid[] IS NULL OR id = ANY ($1)) AND id > $2
       AND $3::integer > 0 AND ${text}`,
    [ids ?? null, FIRST_ID, BATCH, ...values],
  );
  const total = counted.rows[0]?.total ?? 0;
  let after = FIRST_ID;
  for (let row = 1; ; ) {
    const slice = ids?.filter((id) => id > after).slice(0, BATCH);
    const { rows: existing } = await pool.query<ExistingProduct & { number_taken: boolean }>(
      `SELECT ${EXISTING_COLUMNS}, ${NUMBER_TAKEN} AS number_taken FROM shop.product
       WHERE ($1::uuid[] IS NULL OR id = ANY ($1)) AND id > $2 AND ${text} ORDER BY id LIMIT $3`,
      [slice ?? null, after, BATCH, ...values],
    );
    const staged = existing.map(({ number_taken, ...product }, index) =>
      stageChange(row + index, product, change, number_taken),
    );
    row += existing.length;
    if (staged.length > 0) yield { rows: staged, progress: (row - 1) / Math.max(1, total) };
    after = slice ? (slice.at(-1) ?? "") : (existing.at(-1)?.id ?? "");
    if (after === "") return;
  }
}

function stageChange(
  row: number,
  existing: ExistingProduct,
  change: BulkChange,
  isNumberTaken: boolean,
): StagedRow {
  const cells = bulkColumns(change).map((column) => writeCell(column, existing));
  return compareProduct({ row, cells }, existing, () => {
    const next = applyChange(existing, change);
    if (existing.archived && next.archived === false && isNumberTaken)
      throw new UnreadableCell(importRefusals.itemNumberInUse);
    return next;
  });
}

export function applyChange(existing: ImportedProduct, change: BulkChange): Partial<ImportedProduct> {
  const { field } = change;
  if (field === "archived") return { archived: change.value === "yes" };
  if (field === "category") return { category: change.value === "" ? null : String(change.value) };
  if (field === "price") return changePrices(existing, change);
  const value = changeNumber(existing[field], change);
  if (value < 0) throw new UnreadableCell(importRefusals.belowZero(field, String(value)));
  return { [field]: value };
}

/** Price breaks rise and fall with the list price; a list price that is set leaves them unchanged. */
function changePrices(
  { price_cents, price_breaks }: ImportedProduct,
  change: BulkChange,
): Partial<ImportedProduct> {
  const price = changeCents(price_cents, change);
  if (change.how === "set") return { price_cents: price };
  return {
    price_cents: price,
    price_breaks: price_breaks.map((step) => ({
      ...step,
      price_cents: changeCents(step.price_cents, change),
    })),
  };
}

function changeCents(cents: number, { how, value, roundTo = 0.01 }: BulkChange): number {
  const amount =
    how === "percent" ? addPercent(cents, value) : (how === "amount" ? cents : 0) + toWholeCents(value);
  const unit = Math.max(1, toWholeCents(roundTo));
  const rounded = Math.round(amount / unit) * unit;
  if (rounded < 1) throw new UnreadableCell(importRefusals.belowZero("price", fromCents(rounded).toFixed(2)));
  return rounded;
}

/** In hundredths of a percent, since products of floats are not exact. */
const addPercent = (whole: number, percent: string | number) =>
  (whole * (10_000 + Math.round(Number(percent) * 100))) / 10_000;

const toWholeCents = (value: string | number) => Math.round(Number(value) * 100);

function changeNumber(current: number, { how, value }: BulkChange): number {
  if (how === "percent") return Math.round(addPercent(current, value));
  return (how === "amount" ? current : 0) + Number(value);
}
