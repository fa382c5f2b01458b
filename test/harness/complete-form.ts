import type { Input } from "../../api/contract.ts";

/** A product of which every field has a value that is not its default. */
export const completeForm: Required<Input<"addProduct">["body"]> = {
  name: "Impact drill",
  price: 128.5,
  minimum_order: 20,
  order_multiple: 10,
  price_breaks: [{ quantity: 100, price: 119 }],
  quantity: 1240,
  description: "For masonry.",
  picture: "/tools/impact-wrench.svg",
  itemNumber: "EF 1",
  category: "Drilling",
  keyFact: "60 Nm",
  powerSource: "18 V battery",
  technicalData: [{ name: "Chuck", value: "13 mm" }],
  drawnBox: [10, 20, 300.5, 400],
  dimensions: { width: 252, height: 198 },
};
