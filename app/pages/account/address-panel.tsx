import { useEffect, useRef, useState } from "react";
import type { Address } from "../../../api/address-calls.ts";
import type { Output } from "../../../api/contract.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { toast } from "../../components/toast.ts";
import { toastDeleted } from "../../components/toast-deleted.ts";
import { useFocusAfterRemoval } from "../../components/use-focus-after-removal.ts";
import { call } from "../../data/api-client.ts";
import { useBusy } from "../../data/use-busy.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { AddressForm } from "./address-form.tsx";

const NEW = "new";

export function AddressPanel({ outcome }: { outcome: Outcome<Output<"listAddresses">> }) {
  const loaded = useLoaderResult(outcome);
  /** the id of the address being edited, or NEW */
  const [editing, setEditing] = useState<string | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  const lastEditing = useRef<string | null>(null);
  const addresses = loaded.data?.addresses ?? [];
  const heading = useFocusAfterRemoval(addresses.map(({ _id }) => _id).join());

  // returns the focus to what opened the form
  useEffect(() => {
    if (lastEditing.current && !editing)
      panel.current?.querySelector<HTMLElement>(`[data-opens="${lastEditing.current}"]`)?.focus();
    lastEditing.current = editing;
  }, [editing]);

  function show(saved: Address) {
    loaded.change(({ addresses: before }) => ({
      addresses: [...before.filter(({ _id }) => _id !== saved._id), saved].toSorted((one, other) =>
        one.name.localeCompare(other.name),
      ),
    }));
    loaded.reload();
  }

  function showSaved(saved: Address) {
    show(saved);
    setEditing(null);
    toast.success(`“${saved.name}” is saved.`);
  }

  async function remove({ _id: id, name, ...fields }: Address) {
    const response = await call("deleteAddress", { params: { id } });
    if (!response.ok && response.status !== 404) return toast.error(response.detail);
    loaded.change(({ addresses: before }) => ({ addresses: before.filter(({ _id }) => _id !== id) }));
    panel.current?.querySelector<HTMLElement>(`[data-opens="${NEW}"]`)?.focus();
    toastDeleted(name, "addAddress", { body: { name, ...fields } }, show);
  }

  return (
    <div ref={panel} className="addresses">
      <Panel
        title="Ship-to addresses"
        headingRef={heading}
        aside={
          <Button size="sm" data-opens={NEW} disabled={editing !== null} onClick={() => setEditing(NEW)}>
            New address
          </Button>
        }
      >
        <QueryBoundary loaded={loaded} failed="Your addresses could not be loaded.">
          {() => (
            <>
              {editing === NEW && <AddressForm onSaved={showSaved} onCancel={() => setEditing(null)} />}
              {addresses.length === 0 && editing !== NEW && (
                <p className="soft">Keep the places that you order for, and choose one at checkout.</p>
              )}
              {addresses.length > 0 && (
                <ul className="rows rows--acts">
                  {addresses.map((address) =>
                    editing === address._id ? (
                      <li key={address._id} className="row row--form">
                        <AddressForm
                          address={address}
                          onSaved={showSaved}
                          onCancel={() => setEditing(null)}
                        />
                      </li>
                    ) : (
                      <AddressRow
                        key={address._id}
                        address={address}
                        isLocked={editing !== null}
                        onChange={() => setEditing(address._id)}
                        onRemove={() => remove(address)}
                      />
                    ),
                  )}
                </ul>
              )}
            </>
          )}
        </QueryBoundary>
      </Panel>
    </div>
  );
}

interface AddressRowProps {
  address: Address;
  /** another address is being edited, and would lose its input */
  isLocked: boolean;
  onChange: () => void;
  onRemove: () => Promise<unknown>;
}

function AddressRow({
  address: { _id, name, address, contact, phone },
  isLocked,
  onChange,
  onRemove,
}: AddressRowProps) {
  const [, once] = useBusy();
  return (
    <li className="row">
      <div className="row__k">
        <b>{name}</b>
        <span>{address}</span>
        {(contact || phone) && (
          <>
            <br />
            <span>{[contact, phone].filter(Boolean).join(", ")}</span>
          </>
        )}
      </div>
      <div className="row__f">
        <span className="acts">
          <Button
            size="sm"
            data-opens={_id}
            aria-label={`Change ${name}`}
            disabled={isLocked}
            onClick={onChange}
          >
            Change
          </Button>
          <IconButton icon="remove" label={`Delete ${name}`} onClick={() => once(onRemove)} />
        </span>
      </div>
    </li>
  );
}
