import type { SavedList } from "../../../api/list-calls.ts";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";

/** Deletes a list; Undo in the toast adds it again. True if it was deleted. */
export async function deleteList(
  { _id: id, name, lines }: Pick<SavedList, "_id" | "name" | "lines">,
  onRestored: (list: SavedList) => void,
): Promise<boolean> {
  const outcome = await call("deleteSavedList", { params: { id } });
  if (!outcome.ok && outcome.status !== 404) {
    toast.error(outcome.detail);
    return false;
  }
  const restore = async () => {
    const restored = await call("addSavedList", { body: { name, lines } });
    if (restored.ok) onRestored(restored.data);
    else toast.error(restored.detail, { label: "Try again", onPress: () => void restore() });
  };
  toast.success(`“${name}” is deleted.`, {
    label: "Undo",
    name: `Undo deleting ${name}`,
    onPress: () => void restore(),
  });
  return true;
}
