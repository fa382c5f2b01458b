import { type ComponentProps, useState } from "react";
import { Button, IconButton } from "../../../components/button.tsx";
import { FieldError } from "../../../components/field.tsx";
import type { ProductForm } from "./use-product-form.ts";

interface PairFieldsProps {
  form: ProductForm;
  name: "technicalData" | "price_breaks";
  legend: string;
  /** the name of a pair, as in "Remove line 2" */
  unit: string;
  most: number;
  columns: [PairColumn, PairColumn];
}

interface PairColumn extends Pick<ComponentProps<"input">, "placeholder" | "inputMode"> {
  key: "name" | "value" | "quantity" | "price";
  label: string;
}

/** Pairs of values that can be added, reordered and removed: technical data, price breaks. */
export function PairFields({ form, name, legend, unit, most, columns }: PairFieldsProps) {
  const rows: object[] = form.draft[name];
  // errors of a pair appear when its second field is left: an incomplete one is no error yet
  const [left, setLeft] = useState<boolean[]>([]);
  const [first, second] = columns;
  const whole = form.errorAt(name);

  function setRows(next: object[], nextLeft: boolean[]) {
    form.change(name, next);
    setLeft(nextLeft);
  }

  function moveUp(index: number) {
    const swap = <Item,>(items: Item[]) =>
      items.toSpliced(index - 1, 2, items[index] as Item, items[index - 1] as Item);
    setRows(swap(rows), swap(rows.map((_, at) => left[at] === true)));
    form.focus(index > 1 ? `${name}.${index - 1}.up` : `${name}.0.${first.key}`);
  }

  return (
    <fieldset className="tool-facts">
      <legend className="lbl">{legend}</legend>
      {rows.map((_, index) => {
        const isShown = form.isSubmitted || left[index];
        const errors = columns.map(({ key }) => form.errorAt(`${name}.${index}.${key}`, isShown));
        const problem = errors[0] ?? errors[1];
        const nth = `${unit} ${index + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the values are in the draft
          <div className="tool-facts__row" key={index}>
            {columns.map(({ key, label, ...input }, at) => {
              const { error: _, onBlur, ...field } = form.field(`${name}.${index}.${key}`);
              return (
                <input
                  key={key}
                  className="input"
                  aria-label={`${label} of ${nth}`}
                  aria-invalid={Boolean(errors[at])}
                  {...input}
                  {...field}
                  onBlur={
                    key === second.key
                      ? () => setLeft(rows.map((_, row) => row === index || left[row] === true))
                      : undefined
                  }
                />
              );
            })}
            <IconButton
              icon="up"
              label={`Move ${nth} up`}
              name={`${name}.${index}.up`}
              disabled={index === 0}
              onClick={() => moveUp(index)}
            />
            <IconButton
              icon="remove"
              label={`Remove ${nth}`}
              onClick={() => setRows(rows.toSpliced(index, 1), left.toSpliced(index, 1))}
            />
            {problem && <FieldError>{problem}</FieldError>}
          </div>
        );
      })}
      {whole && <FieldError>{whole}</FieldError>}
      <Button
        size="sm"
        icon="plus"
        disabled={rows.length >= most}
        onClick={() => {
          form.change(name, [...rows, { [first.key]: "", [second.key]: "" }]);
          form.focus(`${name}.${rows.length}.${first.key}`);
        }}
      >
        Add a {unit}
      </Button>
    </fieldset>
  );
}
