import type { SavedList } from "../../../api/list-calls.ts";
import { toast } from "../../components/toast.ts";
import { toastDeleted } from "../../components/toast-deleted.ts";
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
  toastDeleted(name, () => call("addSavedList", { body: { name, lines } }), onRestored);
  return true;
}
