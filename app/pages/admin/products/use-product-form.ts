import { type FormEvent, useRef, useState } from "react";
import type { Failure } from "../../../../api/outcome.ts";
import { useBusy } from "../../../data/use-busy.ts";
import { checkDraft, mergeDrafts, type ProductDraft, type ProductInput } from "./product-draft.ts";

type Input = HTMLInputElement | HTMLTextAreaElement;

/**
 * The form of a product. Its draft is in the state, because the page shows a preview of it. Fields are named by path,
 * such as "price_breaks.0.price". Errors appear on blur or submit; submitting focuses the first one.
 */
export function useProductForm(initial: ProductDraft, currentStock = 0) {
  const [saved, setSaved] = useState(initial);
  const [draft, setDraft] = useState(initial);
  const latestDraft = useRef(draft);
  latestDraft.current = draft;
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [serverErrors, setServerErrors] = useState<Record<string, string>>({});
  const [busy, run] = useBusy();
  const ref = useRef<HTMLFormElement>(null);
  /** the number of pictures that are being uploaded */
  const uploads = useRef(0);

  const checked = checkDraft(draft, currentStock);
  const problems = Array.isArray(checked) ? checked : [];

  /** The error of a field: the server's, or its own once the field was blurred or the form submitted. */
  function errorAt(name: string, isShown = isSubmitted || touched.has(name)): string | undefined {
    return (
      serverErrors[name] ?? (isShown ? problems.find((problem) => problem.name === name)?.message : undefined)
    );
  }

  /** Whether an error is shown at one of these fields, or at a part of it. */
  function hasError(...names: string[]): boolean {
    const shown = [
      ...Object.keys(serverErrors),
      ...problems.map(({ name }) => name).filter((name) => errorAt(name)),
    ];
    return shown.some((name) => names.includes(name.split(".")[0] as string));
  }

  function change(name: string, value: unknown) {
    setDraft((current) => withValue(current, name.split("."), value) as ProductDraft);
    setServerErrors(({ [name]: _, ...rest }) => rest);
  }

  function field(name: string) {
    return {
      name,
      autoComplete: "off",
      value: valueAt(draft, name) as string,
      error: errorAt(name),
      onChange: ({ target }: { target: Input }) => change(name, target.value),
      onBlur: () => setTouched((current) => new Set(current).add(name)),
    };
  }

  const focus = (name: string) => focusLater(ref, `[name="${name}"]`);

  /** Starts over with `next`; it counts as changed if it differs from `from`. */
  function reset(next: ProductDraft, from = next) {
    setSaved(from);
    setDraft(next);
    setTouched(new Set());
    setIsSubmitted(false);
    setServerErrors({});
  }

  /** Starts over with `next` after `sent` was saved, and keeps what was typed since; true if something was. */
  function resetSent(sent: ProductDraft, next: ProductDraft): boolean {
    const kept = mergeDrafts(sent, latestDraft.current, next);
    reset(kept, next);
    return JSON.stringify(kept) !== JSON.stringify(next);
  }

  /** Shows the messages of a refusal at their fields; false if it names no field. */
  function refuse({ fields = {} }: Pick<Failure, "fields">): boolean {
    setServerErrors(fields);
    const hasFieldErrors = Object.keys(fields).length > 0;
    if (hasFieldErrors) focusLater(ref, INVALID);
    return hasFieldErrors;
  }

  /** The form's onSubmit: runs `submit` with a valid draft, one run at a time. */
  function onSubmit(submit: (input: ProductInput) => unknown) {
    return async (event: FormEvent) => {
      event.preventDefault();
      if (busy) return;
      setIsSubmitted(true);
      setServerErrors({});
      if (Array.isArray(checked)) return focusLater(ref, INVALID);
      await run(() => submit(checked));
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
    uploads,
    change,
    focus,
    reset,
    resetSent,
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
