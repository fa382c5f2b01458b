import type { FormEvent } from "react";
import { FormDialog } from "../../../components/form-dialog.tsx";
import { textOf } from "./grid-cells.ts";
import { PriceBreakFields } from "./price-break-fields.tsx";
import { checkDraft, type ProductDraft } from "./product-draft.ts";
import { useProductForm } from "./use-product-form.ts";

interface PriceBreaksDialogProps {
  draft: ProductDraft;
  onClose: () => void;
  /** `text` is that of the cell */
  onApply: (text: string) => void;
}

/** Edits the price breaks of a row of the grid. Like every cell, they are saved with the other changes. */
export function PriceBreaksDialog({ draft, onClose, onApply }: PriceBreaksDialogProps) {
  const { price_breaks } = draft;
  const form = useProductForm({
    ...draft,
    price_breaks: price_breaks.length > 0 ? price_breaks : [{ quantity: "", price: "" }],
  });

  function apply(event: FormEvent) {
    event.preventDefault();
    const filled = form.draft.price_breaks.filter(({ quantity, price }) => `${quantity}${price}`.trim());
    const next = { ...form.draft, price_breaks: filled };
    form.change("price_breaks", filled);
    if (form.refuse({ fields: problemsOf(next) })) return;
    const text = textOf(next, "price_breaks");
    if (text !== textOf(draft, "price_breaks")) onApply(text);
    onClose();
  }

  return (
    <FormDialog
      ref={form.ref}
      title={`Price breaks, ${draft.name}`}
      submitLabel="Apply"
      look="ink"
      onClose={onClose}
      onSubmit={apply}
    >
      <p>
        ${draft.price} from {draft.minimum_order} pieces. Each break has a larger quantity and a lower price.
      </p>
      <PriceBreakFields form={form} legend="From a quantity, a price per piece" />
    </FormDialog>
  );
}

/** Of the price breaks alone: the other cells of the row may be edited later. */
function problemsOf(draft: ProductDraft): Record<string, string> {
  const checked = checkDraft(draft, Number(draft.quantity));
  if (!Array.isArray(checked)) return {};
  const problems = checked.filter(({ name }) => name.split(".")[0] === "price_breaks");
  return Object.fromEntries(problems.map(({ name, message }) => [name, message]));
}
