import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { Chip } from "./chip.tsx";
import { FieldError } from "./field.tsx";
import { count } from "./format.ts";
import { Icon } from "./icon.tsx";
import { QuantityGauge } from "./quantity-gauge.tsx";

interface QuantityStepperProps {
  label: string;
  /** null while the field is empty; it may hold what cannot be bought, even a fraction, which `error` then says */
  value: number | null;
  onChange: (value: number | null) => void;
  /** the minimum order, also what Page Up and Page Down step by */
  min: number;
  /** the stock */
  max: number;
  error?: string | undefined;
  disabled?: boolean;
}

const PICKS = [1, 2, 5, 10, 25];
const HOLD_MS = 400;
const REPEAT_MS = 60;

/** Quantity with plus and minus (hold to repeat), the gauge from minimum to stock, and quick picks in lots. */
export function QuantityStepper({
  label,
  value,
  onChange,
  min,
  max,
  error,
  disabled = false,
}: QuantityStepperProps) {
  const id = useId();
  const now = useRef(value);
  now.current = value;

  function step(by: number) {
    const next = (now.current ?? 0) + by;
    const held = by > 0 ? Math.max(min, Math.min(max, next)) : Math.min(max, Math.max(min, next));
    if (held !== now.current) onChange(held);
  }

  function onKeyDown(event: KeyboardEvent) {
    const lots = { PageUp: min, PageDown: -min, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!lots) return;
    event.preventDefault();
    step(lots);
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="stepper" data-invalid={error ? "" : undefined}>
        <HoldButton
          label="Decrease quantity"
          icon="minus"
          disabled={disabled || (value ?? 0) <= min}
          onStep={() => step(-1)}
        />
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          step={1}
          value={value ?? ""}
          disabled={disabled}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error` : undefined}
          onKeyDown={onKeyDown}
          onChange={(event) => onChange(numberOf(event.target.value))}
        />
        <HoldButton
          label="Increase quantity"
          icon="plus"
          disabled={disabled || (value ?? 0) >= max}
          onStep={() => step(1)}
        />
      </div>
      <QuantityGauge value={value} min={min} max={max} />
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {/* biome-ignore lint/a11y/useSemanticElements: part of a field, which a fieldset would split from its label */}
      <div className="quick" role="group" aria-label={`${label}, quick picks`}>
        {PICKS.map((lots) => lots * min)
          .filter((pick) => pick <= max)
          .map((pick) => (
            <Chip key={pick} pressed={pick === value} disabled={disabled} onClick={() => onChange(pick)}>
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

/** Steps at the press, again after 400 ms, then every 60 ms while it is held. */
function HoldButton({ label, icon, disabled, onStep }: HoldButtonProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  const latest = useRef(onStep);
  latest.current = onStep;
  useEffect(() => stop, []);
  useEffect(() => {
    if (disabled) stop();
  }, [disabled]);

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
      disabled={disabled}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        latest.current();
        repeat(HOLD_MS);
      }}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      // A press of a key or of assistive technology comes as a click without a pointer.
      onClick={(event) => event.detail === 0 && latest.current()}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name={icon} />
    </button>
  );
}

function numberOf(text: string): number | null {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) ? value : null;
}
