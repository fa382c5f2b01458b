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
  listSavedLists: ({ store }, { person }) => listSavedLists(store, person),
  findSavedList: ({ store }, { person, params }) => findSavedList(store, person, params.id),
  addSavedList: ({ store }, { person, body }) => addSavedList(store, person, body),
  saveSavedList: ({ store }, { person, params, body }) => saveSavedList(store, person, params.id, body),
  deleteSavedList: ({ store }, { person, params }) => deleteSavedList(store, person, params.id),
};
