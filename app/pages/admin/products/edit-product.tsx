import { useRef, useState } from "react";
import { data, useNavigate } from "react-router";
import type { Input } from "../../../../api/contract.ts";
import type { Product } from "../../../../api/entities.ts";
import type { Failure } from "../../../../api/outcome.ts";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { FormError } from "../../../components/field.tsx";
import { count } from "../../../components/format.ts";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { NotFoundPanel, QueryBoundary } from "../../../components/query-boundary.tsx";
import { toast } from "../../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../../components/unsaved-changes-prompt.tsx";
import { isDecided } from "../../../data/api-client.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn } from "../../dashboard/require-session.ts";
import { readNumber } from "../read-number.ts";
import { signedCount } from "../signed-count.ts";
import type { Route } from "./+types/edit-product.ts";
import { EditConflict } from "./edit-conflict.tsx";
import { checkDraft, draftOf, mergeDrafts, type ProductDraft, type ProductInput } from "./product-draft.ts";
import { ProductFields } from "./product-fields.tsx";
import { ProductPictures, picturesOf } from "./product-pictures.tsx";
import { ProductPreview } from "./product-preview.tsx";
import { useProductForm } from "./use-product-form.ts";

export const meta = () => pageTitle("Edit a tool");

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const product = await callerIn(context).call("findProduct", { params: { id } });
  return data({ product }, product.ok ? 200 : product.status);
}

export default function EditProductPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaderResult(loaderData.product);
  return (
    <>
      <PageHead
        title="Edit a tool"
        fact={loaded.data && titleOf(loaded.data)}
        action={loaded.data && <ButtonLink to="/dashboard/manageProduct">Back to the list</ButtonLink>}
      />
      <QueryBoundary loaded={loaded} refused={(reason) => <ProductNotFound detail={reason} />}>
        {(product) => <EditProduct key={product._id} loaded={product} />}
      </QueryBoundary>
    </>
  );
}

function titleOf({ name, itemNumber }: Product): string {
  return itemNumber ? `${name}, item number ${itemNumber}` : name;
}

function EditProduct({ loaded }: { loaded: Product }) {
  const [base, setBase] = useState(loaded);
  const [pictures, setPictures] = useState(picturesOf(loaded));
  const [theirs, setTheirs] = useState<Product | null>(null);
  const [refusal, setRefusal] = useState<string>();
  /** what may have been saved although its response was lost */
  const [undecided, setUndecided] = useState<SentEdit | null>(null);
  const [notFound, setNotFound] = useState<string>();
  const saveButton = useRef<HTMLButtonElement>(null);
  const form = useProductForm(draftOf(loaded), base.quantity);
  const navigate = useNavigate();
  const callOnce = useCallOnce();
  const { busy } = form;
  const isDirty = form.isDirty || undecided !== null;

  const hasPictureChanges = JSON.stringify(pictures) !== JSON.stringify(picturesOf(base));
  const latest = useRef({ hasPictureChanges });
  latest.current = { hasPictureChanges };

  async function save(input: ProductInput) {
    setRefusal(undefined);
    if (!undecided) return sendEdit(sentEdit(base, form.draft, input), base);
    // a save without a response is repeated first: a later change that reverts it would look like no change
    const outcome = await send(undecided);
    if (!outcome.ok) return showFailure(outcome, base);
    const product = outcome.data;
    const saved = draftOf(product);
    const draft = mergeDrafts(undecided.draft, form.draft, saved);
    const rest = checkDraft(draft, product.quantity);
    if (JSON.stringify(draft) === JSON.stringify(saved) || Array.isArray(rest))
      return showSaved(product, undecided.draft);
    form.resetSent(undecided.draft, saved);
    setBase(product);
    return sendEdit(sentEdit(product, draft, rest), product);
  }

  async function sendEdit(edit: SentEdit, before: Product) {
    const outcome = await send(edit);
    if (outcome.ok) showSaved(outcome.data, edit.draft);
    else showFailure(outcome, before);
  }

  function showSaved(product: Product, sent: ProductDraft) {
    toast.success(`${product.name} is saved`);
    const isTypedSince = form.resetSent(sent, draftOf(product));
    setBase(product);
    if (!latest.current.hasPictureChanges) {
      setPictures(picturesOf(product));
      if (!isTypedSince) navigate("/dashboard/manageProduct");
      return;
    }
    // the first picture is the one of the form
    setPictures((list) =>
      list.map((picture) => (picture.url === base.picture ? { ...picture, url: product.picture } : picture)),
    );
  }

  function showFailure(outcome: Failure, before: Product) {
    const current = outcome.present as Product | undefined;
    if (current && current.version !== before.version) return setTheirs(current);
    if (current) setBase(current);
    if (outcome.status === 404) return setNotFound(outcome.detail);
    if (!form.refuse(outcome)) setRefusal(outcome.detail);
  }

  async function send(edit: SentEdit) {
    const { body } = edit;
    const outcome = await callOnce("editProduct", { params: { id: base._id }, body });
    setUndecided(isDecided(outcome) ? null : edit);
    return outcome;
  }

  /** Continues from the saved product; unsaved input of the form is kept. */
  function adoptSavedPictures(current: Product) {
    form.resetSent(draftOf(base), draftOf(current));
    setUndecided(null);
    setBase(current);
    setPictures((latestPictures) => (latestPictures === pictures ? picturesOf(current) : latestPictures));
  }

  /** Continues from the current product, with or without the changes made here. */
  function resolveConflict(current: Product, keep: "mine" | "theirs") {
    const saved = draftOf(current);
    setTheirs(null);
    setUndecided(null);
    setBase(current);
    if (!hasPictureChanges) setPictures(picturesOf(current));
    form.reset(keep === "mine" ? mergeDrafts(draftOf(base), form.draft, saved) : saved, saved);
    // the pressed button was removed; Save is enabled only if something is left to save
    if (keep === "mine") setTimeout(() => saveButton.current?.focus());
    else form.focus("name");
  }

  if (notFound) return <ProductNotFound detail={notFound} />;
  return (
    <>
      <div className="pay pay--wide pay--tool">
        <form ref={form.ref} className="panel" method="post" noValidate onSubmit={form.onSubmit(save)}>
          <div className="panel__bd">
            {theirs && (
              <EditConflict base={base} theirs={theirs} draft={form.draft} onResolve={resolveConflict} />
            )}
            <FormError reveal>{refusal}</FormError>
            <ProductFields form={form} stockHint={stockHint(form.draft.quantity, base)} />
            <Button
              ref={saveButton}
              look="primary"
              size="lg"
              block
              type="submit"
              busy={busy}
              disabled={!isDirty || theirs !== null}
            >
              Save
            </Button>
          </div>
        </form>
        <ProductPreview draft={form.draft} />
      </div>
      <ProductPictures
        product={base}
        pictures={pictures}
        uploads={form.uploads}
        onChange={setPictures}
        onSaved={adoptSavedPictures}
        onConflict={setTheirs}
      />
      <UnsavedChangesPrompt
        isUnsaved={() => (isDirty || hasPictureChanges || form.uploads.current > 0) && !busy}
      >
        Your changes will be lost.
      </UnsavedChangesPrompt>
    </>
  );
}

interface SentEdit {
  draft: ProductDraft;
  body: Input<"editProduct">["body"];
}

function sentEdit({ version = 1, quantity }: Product, draft: ProductDraft, input: ProductInput): SentEdit {
  return { draft, body: { ...input, version, seenQuantity: quantity } };
}

/** The effect of a change of the stock. Sales until it is saved are kept. */
function stockHint(input: string, { quantity }: Product): string {
  const difference = (readNumber(input) ?? quantity) - quantity;
  if (difference === 0 || Number.isNaN(difference)) return `${count(quantity)} when this form was opened.`;
  return `Stock will change by ${signedCount(difference)}. Sales made meanwhile are kept.`;
}

function ProductNotFound({ detail }: { detail: string }) {
  return (
    <NotFoundPanel
      title={detail.replace(/\.$/, "")}
      back={{ label: "Back to the list", to: "/dashboard/manageProduct" }}
      reason="It may have been deleted."
    />
  );
}
