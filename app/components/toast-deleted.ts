import type { Outcome } from "../../api/outcome.ts";
import { isDecided, newKey } from "../data/api-client.ts";
import { toast } from "./toast.ts";

/** Says that `name` is deleted; Undo in the toast adds it again, once although a response is lost. */
export function toastDeleted<Value>(
  name: string,
  add: (key: string) => Promise<Outcome<Value>>,
  onRestored: (value: Value) => void,
): void {
  let key = newKey();
  const restore = async () => {
    const restored = await add(key);
    if (isDecided(restored)) key = newKey();
    if (restored.ok) onRestored(restored.data);
    else toast.error(restored.detail, { label: "Try again", onPress: () => void restore() });
  };
  toast.success(`“${name}” is deleted.`, {
    label: "Undo",
    name: `Undo deleting ${name}`,
    onPress: () => void restore(),
  });
}
