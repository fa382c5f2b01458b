import type { Address } from "../../../api/address-calls.ts";
import { messages } from "../../../shop/texts/specification.ts";
import { AddressField } from "../../components/address-field.tsx";
import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { anything, filled, useFields } from "../../components/use-fields.ts";
import { call } from "../../data/api-client.ts";
import { useCallOnce } from "../../data/call-once.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";

interface AddressFormProps {
  /** missing for a new one */
  address?: Address;
  onSaved: (address: Address) => void;
  onCancel: () => void;
}

export function AddressForm({ address, onSaved, onCancel }: AddressFormProps) {
  const endSession = useSessionExpired();
  const callOnce = useCallOnce();
  const form = useFields({
    name: filled("Enter a name for this place."),
    address: filled(messages.purchase.addressRequired),
    contact: anything,
    phone: anything,
  });
  const submit = form.onSubmit(async (body, sent) => {
    const outcome = address
      ? await call("saveAddress", { params: { id: address._id }, body })
      : await callOnce("addAddress", { body });
    if (outcome.ok) return onSaved(outcome.data);
    if (outcome.status === 401) return endSession();
    sent.refuse(outcome);
  });
  return (
    <form
      className="address-form two"
      method="post"
      noValidate
      aria-label={address ? `Change ${address.name}` : "New address"}
      onSubmit={submit}
    >
      <FormError>{form.refusal}</FormError>
      <TextField
        label="Name of the place"
        autoFocus
        placeholder="Easterby depot"
        defaultValue={address?.name}
        autoComplete="off"
        {...form.field("name")}
      />
      <AddressField defaultValue={address?.address} {...form.field("address")} />
      <TextField
        label="Contact"
        note="Optional"
        defaultValue={address?.contact}
        autoComplete="off"
        {...form.field("contact")}
      />
      <TextField
        label="Phone"
        note="Optional"
        type="tel"
        defaultValue={address?.phone}
        autoComplete="tel"
        {...form.field("phone")}
      />
      <div className="address-form__acts">
        <Button type="submit" look="ink" busy={form.busy}>
          {address ? "Save changes" : "Save address"}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
