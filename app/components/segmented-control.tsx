import type { ReactNode } from "react";

interface SegmentedControlProps<Value extends string> {
  /** for screen readers: "Period" */
  label: string;
  items: readonly (readonly [Value, ReactNode])[];
  /** undefined until it is known */
  value: Value | undefined;
  onChoose: (value: Value) => void;
}

export function SegmentedControl<Value extends string>({
  label,
  items,
  value,
  onChoose,
}: SegmentedControlProps<Value>) {
  return (
    <fieldset className="segments">
      <legend className="vh">{label}</legend>
      {items.map(([item, text]) => (
        <button type="button" key={item} aria-pressed={item === value} onClick={() => onChoose(item)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
