import type { ComponentProps } from "react";
import { TextArea } from "./field.tsx";

/** Of several lines, and as high as they are. Separate from the other fields: few pages have it. */
export function AddressField(props: Partial<ComponentProps<typeof TextArea>>) {
  return <TextArea label="Address" autoComplete="street-address" rows={2} {...props} />;
}
