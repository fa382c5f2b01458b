import { zodResolver } from "@hookform/resolvers/zod";
import { useMemo } from "react";
import { useForm } from "react-hook-form";
import type { Failure } from "../../../../api/outcome.ts";
import { draftFormAt, type ProductDraft, type ProductInput } from "./product-draft.ts";
import type { ProductFormState } from "./product-fields.tsx";

/**
 * A form for a tool that has `seen` pieces. Errors appear on leaving a field and on submitting; they clear with the
 * first valid keystroke.
 */
export function useProductForm(draft: ProductDraft, seen = 0): ProductFormState {
  return useForm<ProductDraft, unknown, ProductInput>({
    mode: "onTouched",
    defaultValues: draft,
    resolver: useMemo(() => zodResolver(draftFormAt(seen)), [seen]),
  });
}

/** Puts what the store refused beside its fields; false when it named none. */
export function showFieldErrors(form: ProductFormState, { fields }: Failure): boolean {
  const named = Object.entries(fields ?? {});
  for (const [name, message] of named)
    form.setError(name as keyof ProductDraft, { message }, { shouldFocus: true });
  return named.length > 0;
}
