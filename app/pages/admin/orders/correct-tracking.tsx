import { useState } from "react";
import type { Shipment } from "../../../../api/order-calls.ts";
import { Button } from "../../../components/button.tsx";
import { FormError } from "../../../components/field.tsx";
import { FormDialog } from "../../../components/form-dialog.tsx";
import { toast } from "../../../components/toast.ts";
import { useFields } from "../../../components/use-fields.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { TrackingFields, trackingRules } from "./tracking-fields.tsx";

interface CorrectTrackingProps {
  shipment: Shipment;
  onChanged: () => void;
}

/** A button whose dialog corrects the tracking number of a shipment, or adds it. */
export function CorrectTracking({ shipment, onChanged }: CorrectTrackingProps) {
  const [isOpen, setIsOpen] = useState(false);
  const what = shipment.carrier || shipment.trackingNumber || shipment.trackingUrl ? "Correct" : "Add";
  return (
    <>
      <Button
        size="sm"
        aria-label={`${what} tracking, shipment ${shipment.number}`}
        onClick={() => setIsOpen(true)}
      >
        {what} tracking
      </Button>
      {isOpen && (
        <TrackingDialog shipment={shipment} onChanged={onChanged} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

function TrackingDialog({ shipment, onChanged, onClose }: CorrectTrackingProps & { onClose: () => void }) {
  const callOnce = useCallOnce();
  const fields = useFields(trackingRules);
  const submit = fields.onSubmit(async (body, { refuse }) => {
    const outcome = await callOnce("correctTracking", { params: { id: shipment._id }, body });
    if (!outcome.ok) return refuse(outcome);
    toast.success("Tracking saved");
    onClose();
    onChanged();
  });
  return (
    <FormDialog
      title={`Tracking of shipment ${shipment.number}`}
      submitLabel="Save"
      busy={fields.busy}
      onClose={onClose}
      autoComplete="off"
      onSubmit={submit}
    >
      <FormError>{fields.refusal}</FormError>
      <TrackingFields field={fields.field} shipment={shipment} />
      <p className="hint">The buyer gets an email with what is saved here.</p>
    </FormDialog>
  );
}
