import type { addressCalls } from "../../../api/address-calls.ts";
import {
  addAddress,
  deleteAddress,
  listAddresses,
  saveAddress,
} from "../../../shop/address-book/addresses.ts";
import type { HandlersOf } from "./handlers.ts";

export const addressHandlers: HandlersOf<typeof addressCalls> = {
  listAddresses: ({ store }, { user }) => listAddresses(store, user),
  addAddress: ({ store }, { user, body }) => addAddress(store, user, body),
  saveAddress: ({ store }, { user, params, body }) => saveAddress(store, user, params.id, body),
  deleteAddress: ({ store }, { user, params }) => deleteAddress(store, user, params.id),
};
