import { expect, test } from "vitest";
import type { Product } from "../../api/entities.ts";
import { excerpt } from "../../app/components/format.ts";
import { toCardProduct, toRowProduct } from "../../app/data/product-projections.ts";
import { completeForm } from "../harness/complete-form.ts";

type PublicProduct = Required<Omit<Product, "pictures" | "reorderPoint" | "archived">>;

const tool: PublicProduct = { ...completeForm, _id: "1", version: 3, description: "Two speeds. ".repeat(40) };

test("a card gets only the data that it shows, and the same excerpt of its description", () => {
  const card = toCardProduct(tool);
  expect(Object.keys(card).sort()).toEqual([
    "_id",
    "description",
    "itemNumber",
    "minimum_order",
    "name",
    "order_multiple",
    "picture",
    "price",
    "price_breaks",
    "quantity",
  ]);
  expect(excerpt(card.description)).toBe(excerpt(tool.description));
});

test("a row gets the data of its columns, and no description", () => {
  expect(Object.keys(toRowProduct(tool)).sort()).toEqual([
    "_id",
    "category",
    "description",
    "itemNumber",
    "keyFact",
    "minimum_order",
    "name",
    "order_multiple",
    "picture",
    "powerSource",
    "price",
    "price_breaks",
    "quantity",
  ]);
  expect(toRowProduct(tool).description).toBe("");
});
