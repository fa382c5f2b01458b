import { PairFields } from "./pair-fields.tsx";
import type { ProductForm } from "./use-product-form.ts";

export function PriceBreakFields({ form, legend }: { form: ProductForm; legend: string }) {
  return (
    <PairFields
      form={form}
      name="price_breaks"
      legend={legend}
      unit="break"
      max={6}
      columns={[
        { key: "quantity", label: "Quantity", placeholder: "100", inputMode: "numeric" },
        { key: "price", label: "Price", placeholder: "119.00", inputMode: "decimal" },
      ]}
    />
  );
}
