/** Reduces products to what a list shows: their data is sent in addition to the HTML. */
import type { Product } from "../../api/entities.ts";
import { excerpt } from "../components/format.ts";

/** For a card: an excerpt of the description, and the item number as the only detail. */
export function toCardProduct({ keyFact, powerSource, category, ...tool }: Product): Product {
  return { ...toRowProduct(tool), description: excerpt(tool.description) };
}

/** For a table row: no description and no technical data. */
export function toRowProduct({ version, technicalData, drawnBox, dimensions, ...tool }: Product): Product {
  return { ...tool, description: "" };
}
