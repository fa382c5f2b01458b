import { useState } from "react";
import { Field, FieldError, TextField } from "../../../components/field.tsx";
import { PairFields } from "./pair-fields.tsx";
import { optionalTextNames, optionalTexts, type ProductDraft } from "./product-draft.ts";
import type { ProductForm } from "./use-product-form.ts";

const FIELDS = [
  ...optionalTextNames,
  "technicalData",
  "dimensions",
  "drawnBox",
] as const satisfies (keyof ProductDraft)[];

/** Optional fields. Opens by itself if one of them has a value or an error, and does not close by itself. */
export function MoreProductFields({ form }: { form: ProductForm }) {
  const hasErrors = form.hasError(...FIELDS);
  const isFilled = !FIELDS.every((name) => isBlank(form.saved[name])) || form.draft.technicalData.length > 0;
  const isNeeded = isFilled || hasErrors;
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  const [isOpen, setIsOpen] = useState(isNeeded);
  if (isNeeded !== wasNeeded) {
    setWasNeeded(isNeeded);
    if (isNeeded) setIsOpen(true);
  }
  return (
    <details
      className="tool-more"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        More about this tool <small>Optional</small>
      </summary>
      <div className="tool-more__bd">
        <div className="two">
          {optionalTextNames.map((name) => (
            <TextField key={name} {...optionalTexts[name]} {...form.field(name)} />
          ))}
        </div>
        <PairFields
          form={form}
          name="technicalData"
          legend="Technical data"
          unit="row"
          max={40}
          columns={[
            { key: "name", label: "Name", placeholder: "Width" },
            { key: "value", label: "Value", placeholder: "82 mm" },
          ]}
        />
        <DimensionFields form={form} />
      </div>
    </details>
  );
}

function isBlank(value: unknown): boolean {
  return typeof value === "object" && value ? Object.values(value).every(isBlank) : value === "";
}

const sides = ["Left", "Top", "Width", "Height"];

/** For the dimension lines on the product page: its size, and its place in the drawing. */
function DimensionFields({ form }: { form: ProductForm }) {
  const hasBoxError = form.hasError("drawnBox");
  return (
    <fieldset className="tool-facts">
      <legend className="lbl">Dimension lines</legend>
      <p className="hint">Enter all six: the tool's size, and its box in a 640 × 480 picture.</p>
      <div className="tool-facts__six">
        {(["width", "height"] as const).map((side) => (
          <TextField
            key={side}
            label={side === "width" ? "Width" : "Height"}
            note="mm"
            inputMode="decimal"
            {...form.field(`dimensions.${side}`)}
            error={form.errorAt(`dimensions.${side}`) && "Enter a number above 0."}
          />
        ))}
        {sides.map((name, index) => {
          const { error: _, ...field } = form.field(`drawnBox.${index}`);
          return (
            <Field key={name} label={`Box ${name.toLowerCase()}`}>
              {(input) => (
                <input
                  className="input"
                  inputMode="decimal"
                  {...input}
                  {...field}
                  aria-invalid={hasBoxError}
                />
              )}
            </Field>
          );
        })}
      </div>
      {hasBoxError && <FieldError>Enter all four numbers of the box, or none.</FieldError>}
    </fieldset>
  );
}
