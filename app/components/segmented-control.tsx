interface SegmentsProps<Value extends string> {
  /** what is chosen, for a screen reader: "Period" */
  label: string;
  items: readonly (readonly [Value, string])[];
  /** undefined while it is not known yet */
  value: Value | undefined;
  onChoose: (value: Value) => void;
}

/** A few choices side by side, one of them on. */
export function SegmentedControl<Value extends string>({
  label,
  items,
  value,
  onChoose,
}: SegmentsProps<Value>) {
  return (
    <fieldset className="segments">
      <legend className="vh">{label}</legend>
      {items.map(([item, words]) => (
        <button type="button" key={item} aria-pressed={item === value} onClick={() => onChoose(item)}>
          {words}
        </button>
      ))}
    </fieldset>
  );
}
