import type { listCalls } from "../../../api/list-calls.ts";
import {
  addSavedList,
  deleteSavedList,
  findSavedList,
  listSavedLists,
  saveSavedList,
} from "../../../shop/saved-lists/lists.ts";
import type { HandlersOf } from "./handlers.ts";

export const listHandlers: HandlersOf<typeof listCalls> = {
  listSavedLists: ({ store }, { user }) => listSavedLists(store, user),
  findSavedList: ({ store }, { user, params }) => findSavedList(store, user, params.id),
  addSavedList: ({ store }, { user, body }) => addSavedList(store, user, body),
  saveSavedList: ({ store }, { user, params, body }) => saveSavedList(store, user, params.id, body),
  deleteSavedList: ({ store }, { user, params }) => deleteSavedList(store, user, params.id),
};
