/** The purchase form's state and what happens when it is sent (specification, sections 5 and 7). */
import { useCallback, useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import type { Failure } from "../../../../api/outcome.ts";
import { messages } from "../../../../shop/texts/specification.ts";
import { toast } from "../../../components/toast.ts";
import { call, newKey } from "../../../data/api-client.ts";
import { useSignedInUser } from "../../../data/session.ts";
import { useSessionExpired } from "../../../data/use-session-expired.ts";
import { useSingleFlight } from "../../../data/use-single-flight.ts";
import { totalDollars, unitPrice } from "./order-total.ts";
import { saveDraft, takeDraft } from "./purchase-draft.ts";
import type { FreshProduct } from "./use-fresh-product.ts";

export interface PurchaseFields {
  address: string;
  phone: string;
  /** null while the field is empty */
  quantity: number | null;
}

/** `refusal` is what the server said to the whole form; a word about one field stands at that field. */
export function usePurchaseForm({ product, refresh, takePrice }: FreshProduct) {
  const person = useSignedInUser();
  const navigate = useNavigate();
  const endSession = useSessionExpired();
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm<PurchaseFields>({
    mode: "onTouched",
    defaultValues: { address: "", phone: "", quantity: product.minimum_order },
  });
  const once = useSingleFlight();
  const sent = useRef(false);
  const keyOf = useIdempotencyKey();

  async function place(fields: PurchaseFields) {
    const order = toOrder(fields, product, person);
    const answer = await call("placePurchase", { body: order }, undefined, keyOf(order));
    if (answer.ok) {
      sent.current = true;
      toast.success(messages.purchase.succeeded);
      await navigate("/dashboard/orders");
    } else await show(answer);
  }

  async function show(failure: Failure) {
    if (failure.status === 401) {
      sent.current = true;
      saveDraft(product._id, form.getValues());
      return endSession();
    }
    // with price breaks it is the price of this quantity; the refresh below reads the others too
    if (failure.current?.price !== undefined && !product.price_breaks) takePrice(failure.current.price);
    const { address, phone, ...others } = failure.fields ?? {};
    if (address) form.setError("address", { message: address }, { shouldFocus: true });
    if (phone) form.setError("phone", { message: phone }, { shouldFocus: !address });
    const atField = (address || phone) && Object.keys(others).length === 0;
    setRefusal(atField ? null : failure.detail);
    if (failure.status !== 0) {
      keyOf(null);
      await refresh();
    }
  }

  const submit = form.handleSubmit((fields) =>
    once(async () => {
      if (sent.current) return;
      setRefusal(null);
      await place(fields);
    }),
  );

  const { getValues, reset } = form;
  useEffect(() => {
    const draft = takeDraft(product._id);
    if (draft) reset(draft);
  }, [product._id, reset]);

  const isUnsaved = useCallback(() => {
    const { address, phone } = getValues();
    return !sent.current && Boolean(address || phone);
  }, [getValues]);

  return { form, person, refusal, submit, isUnsaved };
}

function toOrder(fields: PurchaseFields, product: Product, person: ReturnType<typeof useSignedInUser>) {
  const { address, phone, quantity } = fields;
  const pieces = quantity ?? 0;
  const price = unitPrice(product, pieces);
  return {
    ...(person && { name: person.name, email: person.email }),
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

/** The same order sent again after a lost answer goes under the same key, so that it is placed once. */
function useIdempotencyKey(): (order: object | null) => string {
  const last = useRef({ text: "", key: "" });
  return (order) => {
    const text = JSON.stringify(order);
    if (text !== last.current.text) last.current = { text, key: newKey() };
    return last.current.key;
  };
}
