/** The state and submission of the purchase form (specification, sections 5 and 7). */
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import { messages } from "../../../../shop/texts/specification.ts";
import { formRules } from "../../../components/form-rules.ts";
import { toast } from "../../../components/toast.ts";
import { useFields } from "../../../components/use-fields.ts";
import { useLast } from "../../../components/use-last.ts";
import { mayHaveTakenEffect } from "../../../data/api-client.ts";
import { createCallOnce } from "../../../data/call-once.ts";
import { readUser, useSignedInUser } from "../../../data/session.ts";
import { useSessionExpired } from "../../../data/use-session-expired.ts";
import { totalDollars, unitPrice } from "./order-total.ts";
import type { FreshProduct } from "./use-fresh-product.ts";

interface PurchaseFields {
  address: string;
  phone: string;
  quantity: number | null;
}

const rules = formRules(async () => (await import("../../../../api/purchase-form.ts")).purchaseForm.shape);
export const fetchRules = rules.fetch;

/** Outlives the page: after a lost response, the order may be sent again from a page that a login leads back to. */
const callOnce = createCallOnce();

const MAY_BE_PLACED =
  "If your order was placed, it is not placed twice; look under My Orders before you change it.";

export function usePurchaseForm({ product, refresh, hold, setPrice }: FreshProduct) {
  const user = useSignedInUser();
  // may have signed out in another tab
  const owner = useLast(user);
  const navigate = useNavigate();
  const endSession = useSessionExpired();
  const [quantity, setQuantity] = useState<number | null>(product.minimum_order);
  const formRef = useRef<HTMLFormElement>(null);
  const form = useFields(
    {
      address: (text) => rules.problem("address", text),
      phone: (text) => rules.problem("phone", text),
    },
    { eager: true },
  );
  const sent = useRef(false);

  const submit = form.onSubmit(async ({ address, phone }, { refuse }) => {
    if (sent.current) return;
    const fields = { address, phone, quantity };
    const order = toOrder(fields, product, user);
    hold(true);
    const outcome = await callOnce("placePurchase", { body: order });
    if (outcome.ok) {
      sent.current = true;
      toast.success(messages.purchase.succeeded);
      return navigate("/dashboard/orders");
    }
    if (outcome.status === 401) {
      sent.current = true;
      saveDraft({ productId: product._id, email: owner?.email, fields });
      return endSession();
    }
    // with price breaks it is the price of this quantity; the refresh below loads the others too
    if (outcome.current?.price !== undefined && !product.price_breaks) setPrice(outcome.current.price);
    const { address: _, phone: __, ...others } = outcome.fields ?? {};
    const isAtField = refuse(outcome) && Object.keys(others).length === 0;
    const mayBePlaced = mayHaveTakenEffect(outcome);
    hold(mayBePlaced);
    if (mayBePlaced) return form.setRefusal(`${outcome.detail} ${MAY_BE_PLACED}`);
    form.setRefusal(isAtField ? null : outcome.detail);
    await refresh();
  });

  useEffect(() => {
    const draft = takeDraft(product._id);
    if (!draft) return;
    for (const name of TEXT_FIELDS) {
      const input = inputOf(formRef.current, name);
      if (input) input.value = draft[name];
    }
    setQuantity(draft.quantity);
  }, [product._id]);

  const isUnsaved = () => !sent.current && TEXT_FIELDS.some((name) => inputOf(formRef.current, name)?.value);

  return { form, formRef, quantity, setQuantity, user, submit, isUnsaved };
}

const TEXT_FIELDS = ["address", "phone"] as const;

function inputOf(form: HTMLFormElement | null, name: (typeof TEXT_FIELDS)[number]) {
  return form?.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | null | undefined;
}

function toOrder(fields: PurchaseFields, product: Product, user: ReturnType<typeof useSignedInUser>) {
  const { address, phone, quantity } = fields;
  const pieces = quantity ?? 0;
  const price = unitPrice(product, pieces);
  return {
    ...(user && { name: user.name, email: user.email }),
    address,
    phone,
    purchaseQuantity: pieces,
    productId: product._id,
    productName: product.name,
    picture: product.picture,
    price,
    total: totalDollars(pieces, price),
    status: "unpaid" as const,
  };
}

const DRAFT_KEY = "stator.draft";

interface Draft {
  productId: string;
  /** of the user who typed it */
  email: string | undefined;
  fields: PurchaseFields;
}

/** Keeps the input of a purchase form when the session has ended, in this tab, until the user returns. */
function saveDraft(draft: Draft): void {
  sessionStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
}

/** The user's draft for this product, once; null if there is none. */
function takeDraft(productId: string): PurchaseFields | null {
  const stored = sessionStorage.getItem(DRAFT_KEY);
  if (!stored) return null;
  const draft = JSON.parse(stored) as Draft;
  if (draft.productId !== productId) return null;
  sessionStorage.removeItem(DRAFT_KEY);
  return draft.email === readUser()?.email ? draft.fields : null;
}
