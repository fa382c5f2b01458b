import { type FormEvent, useRef, useState } from "react";
import type { Failure } from "../../../../api/outcome.ts";
import { checkDraft, type ProductDraft, type ProductInput } from "./product-draft.ts";

type Input = HTMLInputElement | HTMLTextAreaElement;

/**
 * The form of a product with `seen` pieces. Its draft is in the state, because the page shows a preview of it. Fields
 * are named by path, such as "price_breaks.0.price". Errors appear on blur or submit; submitting focuses the first
 * one.
 */
export function useProductForm(initial: ProductDraft, seen = 0) {
  const [saved, setSaved] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const ref = useRef<HTMLFormElement>(null);

  const checked = checkDraft(draft, seen);
  const problems = Array.isArray(checked) ? checked : [];

  /** The error of a field: the server's, or its own once it was left or submitted. */
  function errorAt(name: string, isShown = isSubmitted || touched.has(name)): string | undefined {
    return refused[name] ?? (isShown ? problems.find((one) => one.name === name)?.message : undefined);
  }

  /** Whether an error is shown at one of these fields, or at a part of it. */
  function hasError(...names: string[]): boolean {
    const shown = [
      ...Object.keys(refused),
      ...problems.map(({ name }) => name).filter((name) => errorAt(name)),
    ];
    return shown.some((name) => names.includes(name.split(".")[0] as string));
  }

  function change(name: string, value: unknown) {
    setDraft((now) => withValue(now, name.split("."), value) as ProductDraft);
    setRefused(({ [name]: _, ...others }) => others);
  }

  function field(name: string) {
    return {
      name,
      autoComplete: "off",
      value: valueAt(draft, name) as string,
      error: errorAt(name),
      onChange: ({ target }: { target: Input }) => change(name, target.value),
      onBlur: () => setTouched((now) => new Set(now).add(name)),
    };
  }

  const focus = (name: string) => focusLater(ref, `[name="${name}"]`);

  /** Starts over with `next`; it counts as changed if it differs from `from`. */
  function reset(next: ProductDraft, from = next) {
    setSaved(from);
    setDraft(next);
    setTouched(new Set());
    setIsSubmitted(false);
    setRefused({});
  }

  /** Shows server refusals at their fields; false if none was named. */
  function refuse({ fields = {} }: Failure): boolean {
    setRefused(fields);
    const isNamed = Object.keys(fields).length > 0;
    if (isNamed) focusLater(ref, INVALID);
    return isNamed;
  }

  /** The form's onSubmit: runs `act` with a valid draft, one run at a time. */
  function onSubmit(act: (input: ProductInput) => unknown) {
    return async (event: FormEvent) => {
      event.preventDefault();
      if (busy) return;
      setIsSubmitted(true);
      setRefused({});
      if (Array.isArray(checked)) return focusLater(ref, INVALID);
      setBusy(true);
      try {
        await act(checked);
      } finally {
        setBusy(false);
      }
    };
  }

  const isDirty = JSON.stringify(draft) !== JSON.stringify(saved);
  return {
    ref,
    draft,
    saved,
    isDirty,
    busy,
    isSubmitted,
    field,
    errorAt,
    hasError,
    change,
    focus,
    reset,
    refuse,
    onSubmit,
  };
}

export type ProductForm = ReturnType<typeof useProductForm>;

const INVALID = '[aria-invalid="true"]';

function focusLater({ current }: { current: HTMLFormElement | null }, selector: string): void {
  setTimeout(() => current?.querySelector<HTMLElement>(selector)?.focus());
}

function valueAt(value: unknown, name: string): unknown {
  return name.split(".").reduce((part, key) => (part as Record<string, unknown>)[key], value);
}

function withValue(whole: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const part = withValue((whole as Record<string, unknown>)[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), part) : { ...(whole as object), [key]: part };
}
