import type { Product } from "../../../../api/entities.ts";
import { messages } from "../../../../shop/texts/specification.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { toast } from "../../../components/toast.ts";
import { useLast } from "../../../components/use-last.ts";
import { call } from "../../../data/api-client.ts";

interface DeleteProductDialogProps {
  /** null: closed */
  product: Product | null;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteProductDialog({ product, onClose, onDeleted }: DeleteProductDialogProps) {
  const shownProduct = useLast(product);
  if (!shownProduct) return null;

  async function remove(id: string) {
    const outcome = await call("deleteProduct", { params: { id } });
    if (outcome.ok && outcome.data.deletedCount > 0) toast.success(messages.product.deleted);
    else if (!outcome.ok) toast.error(outcome.detail);
    onDeleted();
  }

  return (
    <ConfirmDialog
      open={product !== null}
      onClose={onClose}
      title={`Delete ${shownProduct.name}${shownProduct.itemNumber ? ` (${shownProduct.itemNumber})` : ""}?`}
      keep="Keep tool"
      confirm="Delete"
      onConfirm={() => remove(shownProduct._id)}
    >
      Buyers no longer see it and it cannot be ordered. Orders already placed keep their name, picture and
      price.
    </ConfirmDialog>
  );
}
