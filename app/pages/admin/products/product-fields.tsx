import { useEffect } from "react";
import type { UseFormReturn } from "react-hook-form";
import { TextArea, TextField } from "../../../components/field.tsx";
import { count } from "../../../components/format.ts";
import { MoreProductFields } from "./more-product-fields.tsx";
import { PairFields } from "./pair-fields.tsx";
import type { ProductDraft, ProductInput } from "./product-draft.ts";
import { usePictureError } from "./use-picture-error.ts";

export type ProductFormState = UseFormReturn<ProductDraft, unknown, ProductInput>;

interface ProductFieldsProps {
  form: ProductFormState;
  /** under the quantity: what a change of it means */
  stockHint?: string | undefined;
}

/** The fields of a tool: the required ones of the specification, section 5, then what a catalogue may also have. */
export function ProductFields({ form, stockHint }: ProductFieldsProps) {
  const { register, formState, watch, trigger } = form;
  const { errors } = formState;
  const picture = watch("picture");
  const pictureError = usePictureError(picture);
  // what is wrong with the minimum order may be corrected at the price or at the multiple
  const [price, multiple] = watch(["price", "order_multiple"]);
  const isMinimumWrong = errors.minimum_order !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks again when price or multiple change
  useEffect(() => {
    if (isMinimumWrong) void trigger("minimum_order");
  }, [price, multiple, isMinimumWrong, trigger]);
  return (
    <>
      <TextField label="Name" autoComplete="off" error={errors.name?.message} {...register("name")} />
      <div className="two">
        <TextField
          label="Price"
          note="US dollars"
          inputMode="decimal"
          autoComplete="off"
          error={errors.price?.message}
          {...register("price")}
        />
        <TextField
          label="Quantity"
          note="Pieces in stock"
          inputMode="numeric"
          autoComplete="off"
          hint={stockHint}
          error={errors.quantity?.message}
          {...register("quantity")}
        />
      </div>
      <div className="two">
        <TextField
          label="Minimum order"
          note="Pieces"
          inputMode="numeric"
          autoComplete="off"
          error={errors.minimum_order?.message}
          {...register("minimum_order")}
        />
        <TextField
          label="Sold in multiples of"
          note="Pieces"
          inputMode="numeric"
          autoComplete="off"
          error={errors.order_multiple?.message}
          {...register("order_multiple")}
        />
      </div>
      <PairFields
        form={form}
        name="price_breaks"
        legend="Price breaks (from, price)"
        unit="break"
        most={6}
        columns={[
          { key: "quantity", label: "Quantity", placeholder: "100", inputMode: "numeric" },
          { key: "price", label: "Price", placeholder: "119.00", inputMode: "decimal" },
        ]}
      />
      <div className="counted">
        <TextArea
          label="Description"
          note="Cards show the first 150 characters"
          error={errors.description?.message}
          {...register("description")}
        />
        <p className="counted__n">{`${count(Array.from(watch("description")).length)} characters`}</p>
      </div>
      <TextField
        label="Picture"
        note="Image address"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://… or /tools/angle-grinder.svg"
        hint={pictureError}
        error={errors.picture?.message}
        {...register("picture")}
      />
      <MoreProductFields form={form} />
    </>
  );
}
