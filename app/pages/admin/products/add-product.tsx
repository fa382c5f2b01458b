import { useState } from "react";
import { useNavigate } from "react-router";
import { labels, messages } from "../../../../shop/texts/specification.ts";
import { Button } from "../../../components/button.tsx";
import { FormError } from "../../../components/field.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { toast } from "../../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../../components/unsaved-changes-prompt.tsx";
import { useCallOnce } from "../../../data/call-once.ts";
import { blankDraft, type ProductInput } from "./product-draft.ts";
import { ProductFields } from "./product-fields.tsx";
import { ProductPreview } from "./product-preview.tsx";
import { useProductForm } from "./use-product-form.ts";

export const meta = () => pageTitle("Add A Tool");

/** Add A Tool (specification, section 5). The form is cleared after a success. */
export default function AddProductPage() {
  const form = useProductForm(blankDraft);
  const [refusal, setRefusal] = useState<string>();
  const navigate = useNavigate();
  const callOnce = useCallOnce();
  const { busy, isDirty } = form;

  async function add(body: ProductInput) {
    setRefusal(undefined);
    const outcome = await callOnce("addProduct", { body });
    if (!outcome.ok) {
      if (!form.refuse(outcome)) setRefusal(outcome.detail);
      return;
    }
    const { insertedId } = outcome.data;
    toast.success(messages.product.added, {
      label: "See the tool",
      onPress: () => navigate(`/product/${insertedId}`),
    });
    if (!form.resetSent(form.draft, blankDraft)) form.focus("name");
  }

  return (
    <>
      <PageHead title={labels.menu.addTool} fact="Buyers see it as soon as it is added." />
      <div className="pay pay--wide pay--tool">
        <form ref={form.ref} className="panel" method="post" noValidate onSubmit={form.onSubmit(add)}>
          <div className="panel__bd">
            <FormError reveal>{refusal}</FormError>
            <ProductFields form={form} canUpload />
            <Button look="primary" size="lg" block type="submit" busy={busy}>
              Add Product
            </Button>
          </div>
        </form>
        <ProductPreview draft={form.draft} />
      </div>
      <UnsavedChangesPrompt isUnsaved={() => (isDirty || form.uploads.current > 0) && !busy}>
        The tool is not added yet. Your entries will be lost.
      </UnsavedChangesPrompt>
    </>
  );
}
