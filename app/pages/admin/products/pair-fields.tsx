import type { ComponentProps } from "react";
import { type FieldPath, useFieldArray } from "react-hook-form";
import { Button, IconButton } from "../../../components/button.tsx";
import { FieldError } from "../../../components/field.tsx";
import type { ProductDraft } from "./product-draft.ts";
import type { ProductFormState } from "./product-fields.tsx";

interface PairFieldsProps {
  form: ProductFormState;
  name: "technicalData" | "price_breaks";
  legend: string;
  /** what one pair is called, as in "Remove line 2" */
  unit: string;
  most: number;
  /** the two values of a pair */
  columns: [PairColumn, PairColumn];
}

interface PairColumn extends Pick<ComponentProps<"input">, "placeholder" | "inputMode"> {
  key: "name" | "value" | "quantity" | "price";
  label: string;
}

type PairErrors = Partial<Record<PairColumn["key"], { message?: string }>>;

/** Pairs of values that are added, reordered and removed: technical data, price breaks. */
export function PairFields({ form, name, legend, unit, most, columns }: PairFieldsProps) {
  const { register, control, formState, setFocus } = form;
  const { fields, append, remove, move } = useFieldArray({ control, name });
  const pathOf = (index: number, key: string) => `${name}.${index}.${key}` as FieldPath<ProductDraft>;
  const [first, second] = columns;
  const { isSubmitted, touchedFields, errors } = formState;
  const whole = errors[name]?.message;
  // a pair is checked as soon as it is added; one that is not filled in yet is no mistake
  const errorsAt = (index: number): PairErrors | undefined => {
    const touched = touchedFields[name]?.[index] as Partial<Record<string, boolean>> | undefined;
    return isSubmitted || touched?.[second.key] ? errors[name]?.[index] : undefined;
  };
  return (
    <fieldset className="tool-facts">
      <legend className="lbl">{legend}</legend>
      {fields.map((field, index) => {
        const wrong = errorsAt(index);
        const problem = wrong?.[first.key]?.message ?? wrong?.[second.key]?.message;
        const nth = `${unit} ${index + 1}`;
        return (
          <div className="tool-facts__row" key={field.id}>
            {columns.map(({ key, label, ...input }) => (
              <input
                key={key}
                className="input"
                aria-label={`${label} of ${nth}`}
                aria-invalid={Boolean(wrong?.[key])}
                {...input}
                {...register(pathOf(index, key))}
              />
            ))}
            <IconButton
              icon="up"
              label={`Move ${nth} up`}
              disabled={index === 0}
              onClick={() => move(index, index - 1)}
            />
            <IconButton icon="remove" label={`Remove ${nth}`} onClick={() => remove(index)} />
            {problem && <FieldError>{problem}</FieldError>}
          </div>
        );
      })}
      {whole && <FieldError>{whole}</FieldError>}
      <Button
        size="sm"
        icon="plus"
        disabled={fields.length >= most}
        onClick={() => {
          append({ [first.key]: "", [second.key]: "" } as never, { shouldFocus: false });
          setTimeout(() => setFocus(pathOf(fields.length, first.key)));
        }}
      >
        Add a {unit}
      </Button>
    </fieldset>
  );
}
