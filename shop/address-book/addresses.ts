import { type Address, MAX_ADDRESSES } from "../../api/address-calls.ts";
import type { Request } from "../../api/contract.ts";
import { type Refusal, type Result, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { orderRefusals } from "../texts/order-refusals.ts";
import { refusals } from "../texts/refusals.ts";
import { inTransaction } from "../transaction.ts";

type AddressForm = Request<"addAddress">["body"];
type AddressRow = AddressForm & { id: string };

export async function listAddresses({ pool }: Store, { id }: User): Promise<{ addresses: Address[] }> {
  const { rows } = await pool.query<AddressRow>(
    `SELECT id, name, address, contact, phone FROM shop.address WHERE user_id = $1
     ORDER BY shop.name_key(name), id`,
    [id],
  );
  return { addresses: rows.map(toAddress) };
}

/** An identical address is returned instead, such as when it is added again after a lost response. */
export function addAddress(store: Store, { id }: User, form: AddressForm): Promise<Address | Refusal> {
  return inTransaction(store, async ({ pool }) => {
    // serialized, so that two additions neither get the same position nor add the same address
    const { rowCount } = await pool.query(
      "SELECT FROM shop.user WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
      [id],
    );
    if (rowCount === 0) return refuse("missing", refusals.userNotFound);
    const values = [id, form.name, form.address, form.contact, form.phone];
    const { rows: same } = await pool.query<AddressRow>(
      `SELECT id, name, address, contact, phone FROM shop.address
       WHERE user_id = $1 AND name = $2 AND address = $3 AND contact = $4 AND phone = $5 ORDER BY id LIMIT 1`,
      values,
    );
    if (same[0]) return toAddress(same[0]);
    const { rows } = await pool.query<AddressRow>(
      `INSERT INTO shop.address (user_id, position, name, address, contact, phone)
       SELECT $1, free.position, $2, $3, $4, $5 FROM generate_series(1, ${MAX_ADDRESSES}) AS free (position)
       WHERE NOT EXISTS (
         SELECT FROM shop.address taken WHERE taken.user_id = $1 AND taken.position = free.position
       ) ORDER BY free.position LIMIT 1
       RETURNING id, name, address, contact, phone`,
      values,
    );
    return rows[0] ? toAddress(rows[0]) : refuse("conflict", orderRefusals.addressBookFull(MAX_ADDRESSES));
  });
}

/** Of two concurrent changes, the later one wins. */
export async function saveAddress(
  store: Store,
  user: User,
  addressId: string,
  form: AddressForm,
): Promise<Address | Refusal> {
  const { rows } = await store.pool.query<AddressRow>(
    `UPDATE shop.address SET name = $3, address = $4, contact = $5, phone = $6 WHERE id = $1 AND user_id = $2
     RETURNING id, name, address, contact, phone`,
    [addressId, user.id, form.name, form.address, form.contact, form.phone],
  );
  return rows[0] ? toAddress(rows[0]) : refuseMissingOrForeign(store, addressId);
}

export async function deleteAddress(store: Store, user: User, addressId: string): Result<"deleteAddress"> {
  const { rowCount } = await store.pool.query("DELETE FROM shop.address WHERE id = $1 AND user_id = $2", [
    addressId,
    user.id,
  ]);
  return rowCount === 1 ? { deletedCount: 1 } : refuseMissingOrForeign(store, addressId);
}

async function refuseMissingOrForeign({ pool }: Store, addressId: string): Promise<Refusal> {
  const { rowCount } = await pool.query("SELECT FROM shop.address WHERE id = $1", [addressId]);
  return rowCount === 1
    ? refuse("forbidden", refusals.notYours)
    : refuse("missing", orderRefusals.addressNotFound);
}

function toAddress({ id, name, address, contact, phone }: AddressRow): Address {
  return { _id: id, name, address, ...(contact && { contact }), ...(phone && { phone }) };
}
