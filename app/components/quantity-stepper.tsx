import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { readQuantity } from "../../shop/cart/read-quantity.ts";
import { Chip } from "./chip.tsx";
import { FieldError } from "./field.tsx";
import { count } from "./format.ts";
import { Icon } from "./icon.tsx";
import { QuantityGauge } from "./quantity-gauge.tsx";

interface QuantityStepperProps {
  label: string;
  /** null while the field is empty; may be invalid: a fraction, or NaN if it is not a number or can mean two */
  value: number | null;
  onChange: (value: number | null) => void;
  /** the minimum order, also the step of Page Up and Page Down */
  min: number;
  max: number;
  multiple?: number | undefined;
  marks?: number[] | undefined;
  error?: string | undefined;
}

/** Of the minimum order. */
const QUICK_PICKS = [1, 2, 5, 10, 25];
const HOLD_MS = 400;
const REPEAT_MS = 60;

/** Quantity with plus and minus (hold to repeat), the gauge from minimum to stock, and shortcuts in lots. */
export function QuantityStepper({
  label,
  value,
  onChange,
  min,
  max,
  multiple = 1,
  marks,
  error,
}: QuantityStepperProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const latest = useRef(value);
  latest.current = value;

  const most = Math.floor(max / multiple) * multiple;

  function step(by: number) {
    const next = (latest.current || 0) + by;
    // from a value between two multiples, a step leads to the nearer one
    const rounded = (by > 0 ? Math.floor : Math.ceil)(next / multiple) * multiple;
    const clamped = by > 0 ? Math.max(min, Math.min(most, rounded)) : Math.min(most, Math.max(min, rounded));
    if (clamped !== latest.current) onChange(clamped);
  }

  function onKeyDown(event: KeyboardEvent) {
    const change = { PageUp: min, PageDown: -min, ArrowUp: multiple, ArrowDown: -multiple }[event.key];
    if (!change) return;
    event.preventDefault();
    step(change);
  }

  return (
    <div className="field">
      <label htmlFor={id}>
        {label} {multiple > 1 && <small>Sold in multiples of {count(multiple)}</small>}
      </label>
      <div className="stepper" data-invalid={error ? "" : undefined}>
        <HoldButton
          label="Decrease quantity"
          icon="minus"
          disabled={(value || 0) <= min}
          onStep={() => step(-multiple)}
        />
        <input
          id={id}
          // a number input would read 20.000, which means 20,000 to some, as 20
          role="spinbutton"
          inputMode="numeric"
          autoComplete="off"
          aria-valuemin={min}
          aria-valuemax={max}
          aria-valuenow={value || undefined}
          value={Object.is(numberOf(typed), value) ? typed : (value ?? "")}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error` : undefined}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(numberOf(target.value));
          }}
        />
        <HoldButton
          label="Increase quantity"
          icon="plus"
          disabled={(value || 0) >= most}
          onStep={() => step(multiple)}
        />
      </div>
      <QuantityGauge value={value} min={min} max={max} marks={marks} />
      {error && (
        <FieldError id={`${id}-error`} role="status">
          {error}
        </FieldError>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: part of a field, which a fieldset would split from its label */}
      <div className="quick" role="group" aria-label={`${label}, quick picks`}>
        {QUICK_PICKS.map((lots) => lots * min)
          .filter((pick) => pick <= most)
          .map((pick) => (
            <Chip key={pick} pressed={pick === value} onClick={() => onChange(pick)}>
              {count(pick)}
            </Chip>
          ))}
      </div>
    </div>
  );
}

interface HoldButtonProps {
  label: string;
  icon: "minus" | "plus";
  disabled: boolean;
  onStep: () => void;
}

/** Steps when pressed, again after 400 ms, then every 60 ms while held. */
function HoldButton({ label, icon, disabled, onStep }: HoldButtonProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  const latest = useRef(onStep);
  latest.current = onStep;
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when it is disabled
  useEffect(() => stop, [disabled]);

  function repeat(after: number) {
    timer.current = setTimeout(() => {
      latest.current();
      repeat(REPEAT_MS);
    }, after);
  }

  return (
    <button
      type="button"
      aria-label={label}
      // disabled, it would lose the focus
      aria-disabled={disabled}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        latest.current();
        repeat(HOLD_MS);
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      // Keyboards and assistive technology cause clicks without pointer events.
      onClick={(event) => event.detail === 0 && latest.current()}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name={icon} />
    </button>
  );
}

function numberOf(text: string): number | null {
  return text.trim() === "" ? null : (readQuantity(text) ?? Number.NaN);
}
