import type { UploadedFile } from "../../api/fields.ts";
import type { BulkChange } from "../../api/import-calls.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store, User } from "../store.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { inTransaction } from "../transaction.ts";
import { describeBulkChange } from "./bulk-change.ts";

const MAX_NAME_LENGTH = 200;

/** If the same admin is importing the same file already, returns that import: a double click starts only one. */
export function startImport(
  store: Store,
  admin: User,
  {
    file,
    dryRun,
    columns = null,
  }: { file: UploadedFile; dryRun: boolean; columns?: string[] | null | undefined },
): Promise<{ _id: string } | Refusal> {
  return inTransaction(store, async ({ pool }) => {
    // serializes concurrent requests
    await pool.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${admin.id} ${file.sha256}`]);
    const { rows: running } = await pool.query<{ id: string }>(
      `SELECT id FROM shop.product_import
       WHERE user_id = $1 AND sha256 = $2 AND dry_run = $3 AND fields IS NOT DISTINCT FROM $4::text[]
         AND state IN ('queued', 'running')`,
      [admin.id, file.sha256, dryRun, columns],
    );
    if (running[0]) return { _id: running[0].id };
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO shop.product_import (user_id, file_name, bytes, sha256, dry_run, fields)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      [admin.id, fileNameOf(file.name), file.size, file.sha256, dryRun, columns],
    );
    const { id } = rows[0] as { id: string };
    let position = 0;
    for await (const bytes of file.open()) {
      await pool.query(
        "INSERT INTO shop.product_import_part (import_id, position, bytes) VALUES ($1, $2, $3)",
        [id, position, bytes],
      );
      position += 1;
    }
    await pool.query(QUEUE, [id]);
    return { _id: id };
  });
}

export const QUEUE = `
SELECT graphile_worker.add_job('import-products', json_build_object('importId', $1::text), job_key := 'import-' || $1)`;

function fileNameOf(name: string): string {
  const line = name
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return line || "products.csv";
}

export function startBulkChange(store: Store, admin: User, change: BulkChange): Promise<{ _id: string }> {
  return inTransaction(store, async ({ pool }) => {
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO shop.product_import (user_id, file_name, bytes, sha256, dry_run, kind, bulk_change)
       VALUES ($1, $2, 0, '', true, 'bulk', $3) RETURNING id`,
      [admin.id, describeBulkChange(change).slice(0, MAX_NAME_LENGTH), JSON.stringify(change)],
    );
    const { id } = rows[0] as { id: string };
    await pool.query(QUEUE, [id]);
    return { _id: id };
  });
}

/** The changes are those of the admin who applies it. */
export function applyImport(store: Store, admin: User, id: string): Promise<{ _id: string } | Refusal> {
  return inTransaction(store, async ({ pool }) => {
    const { rows } = await pool.query<{ dry_run: boolean; state: string }>(
      "SELECT dry_run, state FROM shop.product_import WHERE id = $1 FOR UPDATE",
      [id],
    );
    const [found] = rows;
    if (!found) return refuse("missing", importRefusals.importNotFound);
    if (!found.dry_run) return refuse("conflict", importRefusals.notADryRun);
    if (found.state === "failed") return refuse("conflict", importRefusals.importFailed);
    if (found.state !== "done") return refuse("conflict", importRefusals.notDone);
    await pool.query(
      `UPDATE shop.product_import SET dry_run = false, user_id = $2, state = 'queued', progress = 0, finished_at = NULL
       WHERE id = $1`,
      [id, admin.id],
    );
    await pool.query(QUEUE, [id]);
    return { _id: id };
  });
}

/**
 * One by one: deleting a million rows takes seconds, and a statement has fifteen. One that was undone goes after the
 * undo, which may still be running.
 */
export async function deleteOldImports({ pool }: Pick<Store, "pool">): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      `DELETE FROM shop.product_import WHERE id = (
         SELECT id FROM shop.product_import
         WHERE state IN ('done', 'failed') AND created_at < now() - interval '30 days'
           AND finished_at < now() - interval '30 days'
           AND NOT EXISTS (SELECT FROM shop.product_import undo WHERE undo.undoes = product_import.id)
         LIMIT 1)`,
    );
    if (!rowCount) return;
  }
}
