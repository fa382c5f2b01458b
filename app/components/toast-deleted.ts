import type { CallName, Input, Output } from "../../api/contract.ts";
import { createCallOnce } from "../data/call-once.ts";
import { toast } from "./toast.ts";

/** Says that `name` is deleted; Undo in the toast makes the call that adds it again, once although a response is lost. */
export function toastDeleted<Name extends CallName>(
  name: string,
  add: Name,
  input: Input<Name>,
  onRestored: (value: Output<Name>) => void,
): void {
  const callOnce = createCallOnce();
  const restore = async () => {
    const restored = await callOnce(add, input);
    if (restored.ok) onRestored(restored.data);
    else toast.error(restored.detail, { label: "Try again", onPress: () => void restore() });
  };
  toast.undo(`“${name}” is deleted.`, {
    label: "Undo",
    name: `Undo deleting ${name}`,
    onPress: () => void restore(),
  });
}
