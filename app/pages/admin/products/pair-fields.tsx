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
  max: number;
  columns: [PairColumn, PairColumn];
}

interface PairColumn extends Pick<ComponentProps<"input">, "placeholder" | "inputMode"> {
  key: "name" | "value" | "quantity" | "price";
  label: string;
}

/** Pairs of values that can be added, reordered and removed: technical data, price breaks. */
export function PairFields({ form, name, legend, unit, max, columns }: PairFieldsProps) {
  const rows: object[] = form.draft[name];
  // errors of a pair appear when its second field loses the focus: until then it is incomplete, not wrong
  const [blurred, setBlurred] = useState<boolean[]>([]);
  const [first, second] = columns;
  const listError = form.errorAt(name);

  function setRows(next: object[], nextBlurred: boolean[]) {
    form.change(name, next);
    setBlurred(nextBlurred);
  }

  function moveUp(index: number) {
    const swap = <Item,>(items: Item[]) =>
      items.toSpliced(index - 1, 2, items[index] as Item, items[index - 1] as Item);
    setRows(swap(rows), swap(rows.map((_, row) => blurred[row] === true)));
    form.focus(index > 1 ? `${name}.${index - 1}.up` : `${name}.0.${first.key}`);
  }

  function remove(index: number) {
    setRows(rows.toSpliced(index, 1), blurred.toSpliced(index, 1));
    // the last row takes its button, which has the focus, with it
    if (index === rows.length - 1)
      form.focus(index > 0 ? `${name}.${index - 1}.${first.key}` : `${name}.add`);
  }

  return (
    <fieldset className="tool-facts">
      <legend className="lbl">{legend}</legend>
      {rows.map((_, index) => {
        const isShown = form.isSubmitted || blurred[index];
        const errors = columns.map(({ key }) => form.errorAt(`${name}.${index}.${key}`, isShown));
        const problem = errors[0] ?? errors[1];
        const rowName = `${unit} ${index + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the values are in the draft
          <div className="tool-facts__row" key={index}>
            {columns.map(({ key, label, ...input }, column) => {
              const { error: _, onBlur, ...field } = form.field(`${name}.${index}.${key}`);
              return (
                <input
                  key={key}
                  className="input"
                  aria-label={`${label} of ${rowName}`}
                  aria-invalid={Boolean(errors[column])}
                  {...input}
                  {...field}
                  onBlur={
                    key === second.key
                      ? () => setBlurred(rows.map((_, row) => row === index || blurred[row] === true))
                      : undefined
                  }
                />
              );
            })}
            <IconButton
              icon="up"
              label={`Move ${rowName} up`}
              name={`${name}.${index}.up`}
              disabled={index === 0}
              onClick={() => moveUp(index)}
            />
            <IconButton icon="remove" label={`Remove ${rowName}`} onClick={() => remove(index)} />
            {problem && <FieldError>{problem}</FieldError>}
          </div>
        );
      })}
      {listError && <FieldError>{listError}</FieldError>}
      <Button
        size="sm"
        icon="plus"
        name={`${name}.add`}
        disabled={rows.length >= max}
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
