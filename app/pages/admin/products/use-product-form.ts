import { useMemo } from "react";
import { type FieldErrors, type Resolver, set, useForm } from "react-hook-form";
import type { Failure } from "../../../../api/outcome.ts";
import { checkDraft, type ProductDraft, type ProductInput } from "./product-draft.ts";
import type { ProductFormState } from "./product-fields.tsx";

/**
 * A form for a tool that has `seen` pieces. Errors appear on leaving a field and on submitting; they clear with the
 * first valid keystroke.
 */
export function useProductForm(draft: ProductDraft, seen = 0): ProductFormState {
  return useForm<ProductDraft, unknown, ProductInput>({
    mode: "onTouched",
    defaultValues: draft,
    resolver: useMemo(() => resolverAt(seen), [seen]),
  });
}

/** The first problem of each field counts. */
function resolverAt(seen: number): Resolver<ProductDraft, unknown, ProductInput> {
  return (draft) => {
    const checked = checkDraft(draft, seen);
    if (!Array.isArray(checked)) return { values: checked, errors: {} };
    const errors: FieldErrors<ProductDraft> = {};
    for (const { name, message } of checked.toReversed()) set(errors, name, { type: "invalid", message });
    return { values: {}, errors };
  };
}

/** Puts what the store refused beside its fields; false when it named none. */
export function showFieldErrors(form: ProductFormState, { fields }: Failure): boolean {
  const named = Object.entries(fields ?? {});
  for (const [name, message] of named)
    form.setError(name as keyof ProductDraft, { message }, { shouldFocus: true });
  return named.length > 0;
}
