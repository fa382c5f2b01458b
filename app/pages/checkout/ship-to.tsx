import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Address } from "../../../api/address-calls.ts";
import { AddressField } from "../../components/address-field.tsx";
import { TextField } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { call } from "../../data/api-client.ts";
import { RadioOption } from "./step.tsx";
import { readDraft } from "./use-checkout-draft.ts";

const NAME = "ship-to";
const NEW = "new";

/** The addresses of the account, and the selected one: initially that of the draft, else the first. */
export function useShipTo(onChoose: (address: Address) => void) {
  // null until they are loaded
  const [addresses, setAddresses] = useState<Address[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [choice, setChoice] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const chooseInitial = useEffectEvent(onChoose);
  useEffect(() => {
    const controller = new AbortController();
    void call("listAddresses", {}, controller.signal).then(
      (outcome) => {
        const found = outcome.ok ? outcome.data.addresses : [];
        const draft = readDraft();
        // an address typed after a failure stays the chosen one
        const draftChoice = attempt > 0 && draft.address ? NEW : (draft[NAME] ?? null);
        setAddresses(found);
        setChoice(draftChoice);
        const initial = found.find(({ _id }) => _id === draftChoice) ?? found[0];
        if (initial && draftChoice !== NEW) chooseInitial(initial);
        setFailure(outcome.ok ? null : outcome.detail);
      },
      () => {}, // the page was left
    );
    return () => controller.abort();
  }, [attempt]);
  // undefined for a new address
  const chosen =
    choice === NEW ? undefined : (addresses?.find(({ _id }) => _id === choice) ?? addresses?.[0]);

  function choose(id: string) {
    setChoice(id);
    const address = addresses?.find(({ _id }) => _id === id);
    if (address) onChoose(address);
  }

  return { addresses, failure, chosen, choose, retry: () => setAttempt(attempt + 1) };
}

type ShipToProps = ReturnType<typeof useShipTo> & {
  /** props of the address input */
  addressField: ComponentProps<typeof AddressField>;
  /** props of the input for the name of a new address */
  placeField: Partial<ComponentProps<typeof TextField>>;
};

/** The address book as radio cells, or the fields of a new address. */
export function ShipTo({ addresses, failure, chosen, choose, retry, addressField, placeField }: ShipToProps) {
  const box = useRef<HTMLDivElement>(null);
  const hadFailed = useRef(false);
  useEffect(() => {
    // the button is gone
    if (hadFailed.current && !failure)
      box.current?.querySelector<HTMLElement>("input:checked, textarea")?.focus();
    hadFailed.current = failure !== null;
  }, [failure]);
  if (!addresses) return <div className="pick pick--wait" role="status" aria-label="Loading addresses" />;
  return (
    <div className="co__fields" ref={box}>
      {failure && (
        <Notice kind="warn">
          {`Your address book could not be loaded. ${failure} `}
          <button type="button" className="link" onClick={retry}>
            Try again
          </button>
        </Notice>
      )}
      {addresses.length > 0 && (
        <fieldset className="pick">
          <legend className="vh">Ship-to address</legend>
          {addresses.map((address) => (
            <RadioOption
              key={address._id}
              name={NAME}
              value={address._id}
              title={address.name}
              checked={chosen?._id === address._id}
              onChange={() => choose(address._id)}
            >
              {address.address}
            </RadioOption>
          ))}
          <RadioOption
            name={NAME}
            value={NEW}
            title="New address"
            checked={!chosen}
            onChange={() => choose(NEW)}
          />
        </fieldset>
      )}
      {!chosen && (
        <>
          <AddressField defaultValue={readDraft().address} required {...addressField} />
          <TextField
            label="Name of the place"
            note="Optional"
            hint="With a name, the address is kept in your address book."
            defaultValue={readDraft().place}
            autoComplete="off"
            {...placeField}
          />
        </>
      )}
    </div>
  );
}
