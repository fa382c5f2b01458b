import type { Outcome } from "../../api/outcome.ts";
import { toast } from "./toast.ts";

/** Says that `name` is deleted; Undo in the toast adds it again. */
export function toastDeleted<Value>(
  name: string,
  add: () => Promise<Outcome<Value>>,
  onRestored: (value: Value) => void,
): void {
  const restore = async () => {
    const restored = await add();
    if (restored.ok) onRestored(restored.data);
    else toast.error(restored.detail, { label: "Try again", onPress: () => void restore() });
  };
  toast.success(`“${name}” is deleted.`, {
    label: "Undo",
    name: `Undo deleting ${name}`,
    onPress: () => void restore(),
  });
}
