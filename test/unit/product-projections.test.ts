import { expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { excerpt } from "../../app/components/format.ts";
import { toCardProduct, toRowProduct } from "../../app/data/product-projections.ts";
import { sampleCatalogue } from "../../shop/sample-data/catalogue.ts";

const tool = { _id: "1", version: 3, ...sampleCatalogue[0] } as Product;

test("a card gets only the data that it shows, and the same excerpt of its description", () => {
  const card = toCardProduct(tool);
  expect(Object.keys(card).sort()).toEqual([
    "_id",
    "description",
    "itemNumber",
    "minimum_order",
    "name",
    "picture",
    "price",
    "quantity",
  ]);
  expect(excerpt(card.description)).toBe(excerpt(tool.description));
});

test("a row gets the data of its columns, and no description", () => {
  expect(Object.keys(toRowProduct({ ...tool, keyFact: "60 Nm" })).sort()).toEqual([
    "_id",
    "category",
    "description",
    "itemNumber",
    "keyFact",
    "minimum_order",
    "name",
    "picture",
    "powerSource",
    "price",
    "quantity",
  ]);
  expect(toRowProduct(tool).description).toBe("");
});
