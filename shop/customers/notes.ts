import type { Note } from "../../api/customer-calls.ts";
import { actorSql, actorText } from "../audit-log/actor.ts";
import { findOrderRow } from "../orders/queries.ts";
import { type Refusal, type Result, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { customerRefusals } from "../texts/customer-refusals.ts";
import { orderRefusals } from "../texts/order-refusals.ts";

/** Of an order or a customer; all are in one response. */
const MAX_NOTES = 500;

interface NoteRow {
  id: string;
  text: string;
  author_id: string;
  author: string;
  written_at: Date;
}

export async function listNotes(
  { pool }: Store,
  viewer: User,
  { orderId, customerId }: { orderId?: string; customerId?: string },
): Promise<Note[]> {
  const { rows } = await pool.query<NoteRow>(
    `SELECT note.id, text, author_id, author.name AS author, written_at
     FROM shop.note JOIN shop.user author ON author.id = author_id
     WHERE order_id = $1 OR customer_id = $2 ORDER BY note.id DESC LIMIT ${MAX_NOTES}`,
    [orderId ?? null, customerId ?? null],
  );
  return rows.map((row) => toNote(row, viewer));
}

export async function listOrderNotes(store: Store, viewer: User, id: string): Result<"listOrderNotes"> {
  const order = await findOrderRow(store, id);
  if (!order) return refuse("missing", orderRefusals.orderNotFound);
  return { customerId: order.user_id, notes: await listNotes(store, viewer, { orderId: order.id }) };
}

/** The order is given by its id or that of one of its purchases. */
export async function addOrderNote(
  store: Store,
  author: User,
  id: string,
  text: string,
): Promise<Note | Refusal> {
  const order = await findOrderRow(store, id);
  if (!order) return refuse("missing", orderRefusals.orderNotFound);
  const { rows } = await store.pool.query<NoteRow>(
    `INSERT INTO shop.note (order_id, author_id, text)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM shop.note WHERE order_id = $1) < ${MAX_NOTES}
     RETURNING id, text, author_id, $4::text AS author, written_at, ${actorSql("$5")}`,
    [order.id, author.id, text, author.name, actorText()],
  );
  return rows[0] ? toNote(rows[0], author) : refuse("conflict", customerRefusals.tooManyNotes);
}

/** The lock makes a concurrent deletion of the account wait, which then deletes the note too. */
export async function addCustomerNote(
  store: Store,
  author: User,
  id: string,
  text: string,
): Promise<Note | Refusal> {
  const { rows } = await store.pool.query<NoteRow>(
    `INSERT INTO shop.note (customer_id, author_id, text)
     SELECT id, $2, $3 FROM shop.user WHERE id = $1 AND deleted_at IS NULL
       AND (SELECT count(*) FROM shop.note WHERE customer_id = $1) < ${MAX_NOTES} FOR SHARE
     RETURNING id, text, author_id, $4::text AS author, written_at, ${actorSql("$5")}`,
    [id, author.id, text, author.name, actorText()],
  );
  if (rows[0]) return toNote(rows[0], author);
  const { rowCount: found } = await store.pool.query(
    "SELECT FROM shop.user WHERE id = $1 AND deleted_at IS NULL",
    [id],
  );
  return found === 1
    ? refuse("conflict", customerRefusals.tooManyNotes)
    : refuse("missing", customerRefusals.customerNotFound);
}

export async function deleteNote({ pool }: Store, author: User, id: string): Result<"deleteNote"> {
  const { rowCount } = await pool.query(
    `DELETE FROM shop.note WHERE id = $1 AND author_id = $2 RETURNING ${actorSql("$3")}`,
    [id, author.id, actorText()],
  );
  if (rowCount === 1) return { deletedCount: 1 };
  const { rowCount: found } = await pool.query("SELECT FROM shop.note WHERE id = $1", [id]);
  return found === 1
    ? refuse("forbidden", customerRefusals.noteOfOther)
    : refuse("missing", customerRefusals.noteNotFound);
}

function toNote(row: NoteRow, viewer: User): Note {
  return {
    _id: row.id,
    text: row.text,
    author: row.author,
    mine: row.author_id === viewer.id,
    writtenAt: row.written_at.toISOString(),
  };
}
