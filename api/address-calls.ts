import { z } from "zod";
import { orderRefusals } from "../shop/texts/order-refusals.ts";
import { messages } from "../shop/texts/specification.ts";
import { call } from "./call.ts";
import { byId, deleted, line, note, prose, trimmed } from "./fields.ts";

const addressForm = z.strictObject({
  name: line(80, orderRefusals.placeNameRequired),
  address: prose(500, messages.purchase.addressRequired),
  contact: note(120).default("").transform(trimmed),
  phone: note(40).default("").transform(trimmed),
});

export const address = z.object({
  _id: z.uuid(),
  name: z.string(),
  address: z.string(),
  contact: z.string().optional(),
  phone: z.string().optional(),
});

export type Address = z.infer<typeof address>;

export const MAX_ADDRESSES = 100;

export const addressCalls = {
  listAddresses: call("GET /addresses", {
    access: "user",
    summary: "Your ship-to addresses, by name.",
    output: z.object({ addresses: z.array(address) }),
  }),
  addAddress: call("POST /addresses", {
    access: "user",
    idempotency: "transaction",
    summary:
      "Adds a ship-to address to your address book, which holds up to 100. An identical one is not added again.",
    body: addressForm,
    output: address,
  }),
  saveAddress: call("PUT /addresses/{id}", {
    access: "user",
    idempotency: "transaction",
    summary: "Replaces one of your ship-to addresses. Orders keep the address they were placed with.",
    params: byId,
    body: addressForm,
    output: address,
  }),
  deleteAddress: call("DELETE /addresses/{id}", {
    access: "user",
    idempotency: "transaction",
    summary: "Deletes one of your ship-to addresses. Orders keep the address they were placed with.",
    params: byId,
    output: deleted,
  }),
};
