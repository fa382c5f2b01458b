import type { Outcome } from "../../api/outcome.ts";
import { rememberKeys } from "../data/idempotency-key.ts";
import { toast } from "./toast.ts";

/** Says that `name` is deleted; Undo in the toast adds it again, once although a response is lost. */
export function toastDeleted<Value>(
  name: string,
  add: (key: string) => Promise<Outcome<Value>>,
  onRestored: (value: Value) => void,
): void {
  const withKey = rememberKeys();
  const restore = async () => {
    const restored = await withKey(name, add);
    if (restored.ok) onRestored(restored.data);
    else toast.error(restored.detail, { label: "Try again", onPress: () => void restore() });
  };
  toast.success(`“${name}” is deleted.`, {
    label: "Undo",
    name: `Undo deleting ${name}`,
    onPress: () => void restore(),
  });
}
