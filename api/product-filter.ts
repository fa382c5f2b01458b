import { z } from "zod";
import { PRICE_STEPS } from "../shop/catalogue/facets.ts";
import { catalogueQuery } from "./catalogue-calls.ts";
import { search } from "./fields.ts";

const { minimum, stock } = catalogueQuery.shape;

export const productFilter = {
  /** words of the name, item number or category; all must match */
  q: search,
  category: search,
  power: search,
  voltage: z.coerce.number().min(0).max(100_000).optional(),
  /** number of a price band of the catalogue */
  price: z.coerce.number().int().min(0).max(PRICE_STEPS.length).optional(),
  minimum,
  stock,
  low: z.literal("1").optional(),
  /** missing: tools on sale; `only`: archived ones */
  archived: z.enum(["only", "all"]).optional(),
};

export const productSort = z.enum(["newest", "oldest", "name", "price", "stock"]).default("oldest");
