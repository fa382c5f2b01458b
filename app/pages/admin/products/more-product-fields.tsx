import { useFieldArray } from "react-hook-form";
import { Button, IconButton } from "../../../components/button.tsx";
import { Field, FieldError, TextField } from "../../../components/field.tsx";
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
        <TechnicalData form={form} />
        <Measures form={form} />
      </div>
    </details>
  );
}

/** Name and value, in the order in which the tool's page lists them. */
function TechnicalData({ form }: { form: ProductFormState }) {
  const { register, control, formState, setFocus } = form;
  const { fields, append, remove, move } = useFieldArray({ control, name: "technicalData" });
  // a new line is checked as soon as it is added; what nobody filled in yet is no mistake
  const { isSubmitted, touchedFields } = formState;
  const errorsAt = (index: number) =>
    isSubmitted || touchedFields.technicalData?.[index]?.value
      ? formState.errors.technicalData?.[index]
      : undefined;
  return (
    <fieldset className="tool-facts">
      <legend className="lbl">Technical data</legend>
      {fields.map((field, index) => {
        const errors = errorsAt(index);
        const problem = errors?.name?.message ?? errors?.value?.message;
        const line = index + 1;
        return (
          <div className="tool-facts__row" key={field.id}>
            <input
              className="input"
              aria-label={`Name of row ${line}`}
              aria-invalid={Boolean(errors?.name)}
              placeholder="Disc diameter"
              {...register(`technicalData.${index}.name`)}
            />
            <input
              className="input"
              aria-label={`Value of row ${line}`}
              aria-invalid={Boolean(errors?.value)}
              placeholder="125 mm"
              {...register(`technicalData.${index}.value`)}
            />
            <IconButton
              icon="up"
              label={`Move row ${line} up`}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <IconButton icon="remove" label={`Remove row ${line}`} onClick={() => remove(index)} />
            {problem && <FieldError>{problem}</FieldError>}
          </div>
        );
      })}
      <Button
        size="sm"
        icon="plus"
        disabled={fields.length >= 40}
        onClick={() => {
          append({ name: "", value: "" }, { shouldFocus: false });
          setTimeout(() => setFocus(`technicalData.${fields.length}.name`));
        }}
      >
        Add a row
      </Button>
    </fieldset>
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
