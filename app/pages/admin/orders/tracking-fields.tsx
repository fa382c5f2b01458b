import type { Shipment } from "../../../../api/order-calls.ts";
import { atMost } from "../../../components/at-most.ts";
import { TextField } from "../../../components/field.tsx";
import type { useFields } from "../../../components/use-fields.ts";

export const trackingRules = { carrier: atMost(80), trackingNumber: atMost(80), trackingUrl: urlProblem };

interface TrackingFieldsProps {
  field: ReturnType<typeof useFields<keyof typeof trackingRules>>["field"];
  shipment?: Shipment;
}

/** All optional. */
export function TrackingFields({ field, shipment }: TrackingFieldsProps) {
  return (
    <>
      <TextField label="Carrier" note="Optional" defaultValue={shipment?.carrier} {...field("carrier")} />
      <TextField
        label="Tracking number"
        note="Optional"
        defaultValue={shipment?.trackingNumber}
        {...field("trackingNumber")}
      />
      <TextField
        label="Tracking address"
        note="Optional"
        type="url"
        placeholder="https://"
        defaultValue={shipment?.trackingUrl}
        {...field("trackingUrl")}
      />
    </>
  );
}

function urlProblem(value: string): string | undefined {
  if (value.trim() === "" || /^https?:\/\//.test(value.trim())) return undefined;
  return "Enter an address that begins with https:// or leave it empty.";
}
