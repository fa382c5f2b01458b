import { Field, FieldError, TextField } from "../../../components/field.tsx";
import { PairFields } from "./pair-fields.tsx";
import type { ProductFormState } from "./product-fields.tsx";

/** Optional; a page leaves out what is missing. Opens by itself when something in it is filled or wrong. */
export function MoreProductFields({ form }: { form: ProductFormState }) {
  const { register, formState, getValues } = form;
  const { errors, defaultValues } = formState;
  const { itemNumber, category, keyFact, powerSource, technicalData, dimensions, drawnBox } = errors;
  const wrong = itemNumber ?? category ?? keyFact ?? powerSource ?? technicalData ?? dimensions ?? drawnBox;
  const filled = Boolean(defaultValues?.category || getValues("technicalData").length);
  return (
    <details className="tool-more" open={filled || wrong !== undefined || undefined}>
      <summary>
        More about this tool <small>Optional</small>
      </summary>
      <div className="tool-more__bd">
        <div className="two">
          <TextField
            label="Item number"
            autoComplete="off"
            error={itemNumber?.message}
            {...register("itemNumber")}
          />
          <TextField
            label="Category"
            autoComplete="off"
            error={category?.message}
            {...register("category")}
          />
          <TextField
            label="Key fact"
            note="In the list"
            autoComplete="off"
            error={keyFact?.message}
            {...register("keyFact")}
          />
          <TextField
            label="Power source"
            autoComplete="off"
            error={powerSource?.message}
            {...register("powerSource")}
          />
        </div>
        <PairFields
          form={form}
          name="technicalData"
          legend="Technical data"
          unit="row"
          most={40}
          columns={[
            { key: "name", label: "Name", placeholder: "Width" },
            { key: "value", label: "Value", placeholder: "82 mm" },
          ]}
        />
        <Measures form={form} />
      </div>
    </details>
  );
}

const sides = ["Left", "Top", "Width", "Height"];

/** For the dimension lines on the tool's page: its size, and where it stands in its drawing. */
function Measures({ form }: { form: ProductFormState }) {
  const { register, formState } = form;
  const { dimensions, drawnBox } = formState.errors;
  const boxProblem = drawnBox?.message ?? drawnBox?.find?.((side) => side)?.message;
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
            error={dimensions?.[side] && "Enter a number above 0."}
            {...register(`dimensions.${side}`)}
          />
        ))}
        {sides.map((name, index) => (
          <Field key={name} label={`Box ${name.toLowerCase()}`}>
            {(input) => (
              <input
                className="input"
                inputMode="decimal"
                {...input}
                aria-invalid={Boolean(drawnBox)}
                {...register(`drawnBox.${index as 0 | 1 | 2 | 3}`)}
              />
            )}
          </Field>
        ))}
      </div>
      {boxProblem !== undefined && <FieldError>Enter all four numbers of the box, or none.</FieldError>}
    </fieldset>
  );
}
