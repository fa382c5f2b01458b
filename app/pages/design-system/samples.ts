import type { Product } from "../../../api/entities.ts";

export const product: Product = {
  _id: "0197a1de-0000-7000-8000-000000000001",
  name: "Drill driver",
  picture: "/tools/drill-driver.svg",
  price: 128,
  quantity: 1240,
  minimum_order: 20,
  itemNumber: "DD 18-60",
  description:
    "Two-speed brushless drill driver with a 13 mm keyless chuck and a 24-step torque collar. Runs 60 Nm in hard joints and stays under 1.5 kg with a 2.0 Ah pack. Sold without battery.",
};

/** The longest possible names and figures. */
export const longProduct: Product = {
  ...product,
  _id: "0197a1de-0000-7000-8000-000000000002",
  name: "Variable-speed reciprocating saw with orbital action and tool-free blade change",
  picture: "/tools/nowhere.svg",
  price: 1249999.5,
  quantity: 1000000,
  minimum_order: 12500,
  itemNumber: "RS 1100-30-LONG-AX",
};
