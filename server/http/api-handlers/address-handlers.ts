import type { addressCalls } from "../../../api/address-calls.ts";
import {
  addAddress,
  deleteAddress,
  listAddresses,
  saveAddress,
} from "../../../shop/address-book/addresses.ts";
import type { HandlersOf } from "./handlers.ts";

export const addressHandlers: HandlersOf<typeof addressCalls> = {
  listAddresses: ({ store }, { person }) => listAddresses(store, person),
  addAddress: ({ store }, { person, body }) => addAddress(store, person, body),
  saveAddress: ({ store }, { person, params, body }) => saveAddress(store, person, params.id, body),
  deleteAddress: ({ store }, { person, params }) => deleteAddress(store, person, params.id),
};
