/** Staged, then applied in batches. After a crash staging starts over, or the next batch continues (decision 54). */
import { randomUUID } from "node:crypto";
import type { BulkChange } from "../../api/import-calls.ts";
import { runAsActor } from "../audit-log/actor.ts";
import type { Store } from "../store.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { inTransaction } from "../transaction.ts";
import { applyBatch } from "./apply.ts";
import { bulkColumns, stageBulkChange } from "./bulk-change.ts";
import { type Claim, ClaimLost, IS_CLAIMED, lockClaim } from "./claim.ts";
import type { FileColumn } from "./column-names.ts";
import type { Column } from "./columns.ts";
import { findColumns } from "./queries.ts";
import { type CsvRecord, readRecords, UnreadableFile } from "./read-file.ts";
import { type Heading, readHeading } from "./read-record.ts";
import { compareRecords, type StagedRow } from "./stage.ts";
import { stageUndo } from "./undo.ts";

export interface ImportJob {
  importId: string;
}

interface ImportRow extends Claim {
  user_id: string;
  bytes: number;
  dry_run: boolean;
  is_staged: boolean;
  bulk_change: BulkChange | null;
  undoes: string | null;
  fields: (FileColumn | "")[] | null;
  state: "queued" | "running" | "done" | "failed";
}

/** Rows compared per statement: a few milliseconds, so that requests are served meanwhile. */
const BATCH = 200;
const MAX_ROWS = 1_000_000;

/** Throws `signal.reason` when the process stops, so that the job is retried. */
export async function runImport(store: Store, { importId }: ImportJob, signal: AbortSignal): Promise<void> {
  const { rows } = await store.pool.query<ImportRow>(
    `UPDATE shop.product_import SET state = 'running', run = $2 WHERE id = $1 AND state IN ('queued', 'running')
     RETURNING id, run, user_id, bytes, dry_run, is_staged, bulk_change, undoes, fields, state`,
    [importId, randomUUID()],
  );
  const [importRow] = rows;
  if (!importRow) return;
  try {
    if (!importRow.is_staged) await stage(store, importRow, signal);
    if (!importRow.dry_run)
      await runAsActor({ who: importRow.user_id, role: "admin" }, () => applyRows(store, importRow, signal));
    await finish(store, importRow, null);
  } catch (error) {
    if (error instanceof ClaimLost) return;
    if (!(error instanceof UnreadableFile)) throw error;
    await finish(store, importRow, error.message);
  }
}

async function stage(store: Store, importRow: ImportRow, signal: AbortSignal): Promise<void> {
  await store.pool.query(`DELETE FROM shop.product_import_row WHERE import_id = $1 AND ${IS_CLAIMED}`, [
    importRow.id,
    importRow.run,
  ]);
  if (importRow.bulk_change) {
    const columns = bulkColumns(importRow.bulk_change);
    await stageBatches(store, importRow, columns, stageBulkChange(store, importRow.bulk_change), signal);
  } else if (importRow.undoes) {
    const columns = (await findColumns(store, importRow.undoes)) ?? [];
    await stageBatches(store, importRow, columns, stageUndo(store, importRow.undoes), signal);
  } else await stageFile(store, importRow, signal);
}

async function stageBatches(
  store: Store,
  importRow: ImportRow,
  columns: Column[],
  batches: AsyncIterable<{ rows: StagedRow[]; progress: number }>,
  signal: AbortSignal,
): Promise<void> {
  for await (const { rows, progress } of batches) {
    signal.throwIfAborted();
    await insertRows(store, importRow, rows);
    await setProgress(store, importRow.id, Math.min(1, progress) * (importRow.dry_run ? 1 : 0.5));
  }
  await finishStaging(store, importRow, { columns, ignored: [] }, new Map());
}

async function stageFile(store: Store, importRow: ImportRow, signal: AbortSignal): Promise<void> {
  const { pool } = store;
  const { id, dry_run, fields } = importRow;
  const { rows } = await pool.query<{ total: number }>(
    "SELECT coalesce(sum(length(bytes)), 0)::bigint AS total FROM shop.product_import_part WHERE import_id = $1",
    [id],
  );
  const total = Math.max(1, rows[0]?.total ?? 0);
  let opened = 0;
  let bytesRead = 0;
  const open = () => {
    opened += 1;
    const isParsed = opened === 3;
    return readParts(store, id, (size) => {
      if (isParsed) bytesRead += size;
    });
  };
  let heading: Heading | undefined;
  let batch: CsvRecord[] = [];
  let count = 0;
  const firstRows = new Map<string, number>();
  const duplicates = new Map<number, string>();
  const compareBatch = async () => {
    if (!heading || batch.length === 0) return;
    signal.throwIfAborted();
    await insertRows(store, importRow, await compareRecords(pool, heading, batch, firstRows, duplicates));
    count += batch.length;
    batch = [];
    await setProgress(store, id, (bytesRead / total) * (dry_run ? 1 : 0.5));
  };
  for await (const record of readRecords(open)) {
    if (!heading) {
      heading = readHeading(record, fields);
      continue;
    }
    batch.push(record);
    if (batch.length < BATCH) continue;
    await compareBatch();
    if (count > MAX_ROWS) throw new UnreadableFile(importRefusals.tooManyRows);
  }
  if (!heading) throw new UnreadableFile(importRefusals.empty);
  await compareBatch();
  await finishStaging(store, importRow, heading, duplicates);
}

/** The parts are read one by one: neither the file nor a connection is held meanwhile. */
async function* readParts(
  { pool }: Store,
  importId: string,
  onPart: (size: number) => void,
): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const { rows } = await pool.query<{ bytes: Buffer }>(
      "SELECT bytes FROM shop.product_import_part WHERE import_id = $1 AND position = $2",
      [importId, position],
    );
    if (!rows[0]) return;
    onPart(rows[0].bytes.length);
    yield rows[0].bytes;
  }
}

async function insertRows({ pool }: Store, { id, run }: Claim, rows: StagedRow[]): Promise<void> {
  const { rowCount } = await pool.query({
    name: "import-rows",
    text: `INSERT INTO shop.product_import_row
        (import_id, row, status, reason, cells, product, before, product_id, version)
      SELECT $1, row, status, reason, ARRAY(SELECT jsonb_array_elements_text(cells)), product, before, product_id, version
      FROM jsonb_to_recordset($3) AS staged (row integer, status text, reason text, cells jsonb, product jsonb,
        before jsonb, product_id uuid, version integer)
      WHERE ${IS_CLAIMED}`,
    values: [id, run, JSON.stringify(rows)],
  });
  if (rowCount !== rows.length) throw new ClaimLost();
}

/** Of several rows for one product none is applied, since the correct one is unknown. */
async function finishStaging(
  store: Store,
  claim: Claim,
  heading: { columns: Column[]; ignored: string[] },
  duplicates: Map<number, string>,
): Promise<void> {
  const importId = claim.id;
  await inTransaction(store, async ({ pool }) => {
    await lockClaim(pool, claim);
    await pool.query(
      `UPDATE shop.product_import_row SET status = 'refused', product = NULL, before = NULL,
         reason = repeat.reason
       FROM unnest($2::integer[], $3::text[]) AS repeat (first, reason)
       WHERE import_id = $1 AND product_import_row.row = repeat.first AND status <> 'refused'`,
      [importId, [...duplicates.keys()], [...duplicates.values()]],
    );
    await pool.query(
      `UPDATE shop.product_import SET is_staged = true, columns = $2, ignored = $3, rows = counted.rows,
         created = counted.created, changed = counted.changed, unchanged = counted.unchanged,
         refused = counted.refused
       FROM (SELECT count(*) AS rows, count(*) FILTER (WHERE status = 'new') AS created,
           count(*) FILTER (WHERE status = 'changed') AS changed,
           count(*) FILTER (WHERE status = 'unchanged') AS unchanged,
           count(*) FILTER (WHERE status = 'refused') AS refused
         FROM shop.product_import_row WHERE import_id = $1) AS counted
       WHERE id = $1`,
      [importId, heading.columns, heading.ignored],
    );
    await pool.query("DELETE FROM shop.product_import_part WHERE import_id = $1", [importId]);
  });
  // with outdated statistics the planner expects one row, and joins each batch with nested loops
  await store.pool.query("ANALYZE shop.product_import_row");
}

async function applyRows(store: Store, claim: Claim, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (!(await applyBatch(store, claim))) return;
  }
}

async function setProgress({ pool }: Store, importId: string, progress: number): Promise<void> {
  await pool.query("UPDATE shop.product_import SET progress = $2 WHERE id = $1", [importId, progress]);
}

async function finish({ pool }: Store, { id, run }: Claim, problem: string | null): Promise<void> {
  await pool.query(
    `WITH finished AS (
       UPDATE shop.product_import SET state = CASE WHEN $3::text IS NULL THEN 'done' ELSE 'failed' END, problem = $3,
         progress = 1, finished_at = now() WHERE id = $1 AND run = $2
       RETURNING id
     ) DELETE FROM shop.product_import_part USING finished WHERE import_id = finished.id`,
    [id, run, problem],
  );
}
