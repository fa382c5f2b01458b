/** What a list shows of a tool, so that no more than that is sent: a list's data are sent beside its HTML. */
import type { Product } from "../../api/entities.ts";
import { excerpt } from "../components/format.ts";

/** As a card shows it: the beginning of its description, and no details beside its number. */
export function toCardProduct({ keyFact, powerSource, category, ...tool }: Product): Product {
  return { ...toRowProduct(tool), description: excerpt(tool.description) };
}

/** As a row shows it: no description, and nothing technical. */
export function toRowProduct({ version, technicalData, drawnBox, dimensions, ...tool }: Product): Product {
  return { ...tool, description: "" };
}
