import type { z } from "zod";
import type { productFilter } from "../../api/admin-calls.ts";
import type { Select } from "../../database/pagination.ts";
import { PRICE_STEPS } from "../catalogue/facets.ts";
import { toCents } from "../money.ts";
import { matchWords } from "./match-words.ts";

type Fields = typeof productFilter;

export type ProductFilter = { [Name in keyof Fields]?: z.output<Fields[Name]> };

/** A condition on shop.product; its parameters follow the first `parameters`. */
export function matchProducts(filter: ProductFilter, parameters = 0): Select {
  const { q, category, power, voltage, price, minimum, stock, low, archived } = filter;
  const words = matchWords(q, parameters + 7);
  const onSale =
    archived === "all" ? "true" : archived === "only" ? "archived_at IS NOT NULL" : "archived_at IS NULL";
  const [from, to] = price === undefined ? [] : [PRICE_STEPS[price - 1], PRICE_STEPS[price]];
  return {
    text: `${onSale} AND ($${parameters + 1}::text IS NULL OR category = $${parameters + 1}::text)
      AND ($${parameters + 2}::text IS NULL OR shop.power_kind(power_source) = $${parameters + 2}::text)
      AND ($${parameters + 3}::numeric IS NULL OR shop.power_voltage(power_source) = $${parameters + 3}::numeric)
      AND ($${parameters + 4}::bigint IS NULL OR price_cents >= $${parameters + 4}::bigint)
      AND ($${parameters + 5}::bigint IS NULL OR price_cents < $${parameters + 5}::bigint)
      AND ($${parameters + 6}::integer IS NULL OR minimum_order <= $${parameters + 6}::integer)
      AND ($${parameters + 7}::integer IS NULL OR (quantity >= minimum_order AND quantity >= $${parameters + 7}::integer))${
        low ? " AND is_low" : ""
      } AND ${words.text}`,
    values: [
      category || null,
      power || null,
      voltage ?? null,
      from === undefined ? null : toCents(from),
      to === undefined ? null : toCents(to),
      minimum ?? null,
      stock === undefined ? null : stock === "over500" ? 501 : 0,
      ...words.values,
    ],
  };
}
