import type { ImportRow, ProductImport } from "../../api/import-calls.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { truncate } from "../texts/truncate.ts";
import { IMPORTED_COLUMNS, toFileColumn } from "./column-names.ts";
import { type Column, type ImportedProduct, writeCell } from "./columns.ts";
import type { StagedRow } from "./stage.ts";

interface Row {
  id: string;
  file_name: string;
  kind: ProductImport["kind"];
  undone_by: string | null;
  dry_run: boolean;
  state: ProductImport["state"];
  progress: number;
  rows: number;
  created: number;
  changed: number;
  unchanged: number;
  refused: number;
  problem: string | null;
  /** why the last attempt failed, while the next one is waited for */
  waits_after: string | null;
  columns: string[] | null;
  ignored: string[] | null;
  by: string;
  created_at: Date;
  finished_at: Date | null;
}

const SELECT_IMPORT = `
SELECT product_import.id, file_name, kind, dry_run, state, progress, rows, created, changed, unchanged, refused, problem,
  CASE WHEN state IN ('queued', 'running') THEN (
    SELECT split_part(last_error, E'\\n', 1) FROM graphile_worker.jobs
    WHERE key = 'import-' || product_import.id AND locked_at IS NULL) END AS waits_after,
  columns, ignored, admin.name AS by, product_import.created_at, finished_at,
  (SELECT undo.id FROM shop.product_import undo WHERE undo.undoes = product_import.id) AS undone_by
FROM shop.product_import JOIN shop.user admin ON admin.id = user_id`;

export async function findImport({ pool }: Store, id: string): Promise<ProductImport | Refusal> {
  const { rows } = await pool.query<Row>(`${SELECT_IMPORT} WHERE product_import.id = $1`, [id]);
  return rows[0] ? toImport(rows[0]) : refuse("missing", importRefusals.importNotFound);
}

export async function listImports({ pool }: Store): Promise<{ imports: ProductImport[] }> {
  const { rows } = await pool.query<Row>(`${SELECT_IMPORT} ORDER BY product_import.id DESC LIMIT 20`);
  return { imports: rows.map(toImport) };
}

/** Undefined for an unknown import; empty before its columns are read. */
export async function findColumns({ pool }: Store, importId: string): Promise<Column[] | undefined> {
  const { rows } = await pool.query<{ columns: Column[] | null }>(
    "SELECT columns FROM shop.product_import WHERE id = $1",
    [importId],
  );
  return rows[0] && (rows[0].columns ?? []);
}

interface RowSearch {
  status?: ImportRow["status"] | undefined;
  limit: number;
  after: number;
  /** longer values are cut */
  maxLength?: number;
}

const MAX_SHOWN_LENGTH = 200;

export async function listImportRows(
  store: Store,
  importId: string,
  { status, limit, after, maxLength = MAX_SHOWN_LENGTH }: RowSearch,
): Promise<{ records: ImportRow[]; next?: number } | Refusal> {
  const columns = await findColumns(store, importId);
  if (!columns) return refuse("missing", importRefusals.importNotFound);
  const { rows } = await store.pool.query<StagedRow & { archived: boolean | null }>(
    `SELECT row, status, reason, cells, product, before, product_id, version,
       (SELECT archived_at IS NOT NULL FROM shop.product WHERE id = product_id) AS archived
     FROM shop.product_import_row
     WHERE import_id = $1 AND row > $2 AND ($3::text IS NULL OR status = $3) ORDER BY row LIMIT $4`,
    [importId, after, status ?? null, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    records: shown.map((row) => toRow(columns, row, maxLength)),
    ...(last && rows.length > limit && { next: last.row }),
  };
}

function toRow(
  columns: Column[],
  staged: StagedRow & { archived: boolean | null },
  maxLength: number,
): ImportRow {
  const { row, status, reason, cells, product, before, product_id, archived } = staged;
  const cell = (column: Column) => cells[columns.indexOf(column)]?.trim();
  // a row may be read before the columns of a bulk change are known
  const name = cell("name") ?? product?.name;
  const itemNumber = cell("item_number") ?? product?.item_number;
  return {
    row,
    status,
    ...(name && { name }),
    ...(itemNumber && { itemNumber }),
    ...(product_id && { productId: product_id }),
    ...(archived && { archived }),
    ...(reason && { reason }),
    changes: product && status !== "refused" ? changesOf(product, before, maxLength) : [],
  };
}

function changesOf(
  product: ImportedProduct,
  before: Partial<ImportedProduct> | null,
  maxLength: number,
): ImportRow["changes"] {
  const shown = (text: string) => truncate(text, maxLength);
  return [...IMPORTED_COLUMNS, "archived" as const].flatMap((key): ImportRow["changes"] => {
    const column = toFileColumn(key);
    if (before && !(key in before)) return [];
    const is = shown(writeCell(column, product));
    if (!before) return column === "archived" ? [] : [{ column, is }];
    return [{ column, was: shown(writeCell(column, { ...product, ...before })), is }];
  });
}

function toImport(row: Row): ProductImport {
  const problem = row.waits_after ? importRefusals.waits(row.waits_after) : row.problem;
  return {
    _id: row.id,
    fileName: row.file_name,
    kind: row.kind,
    dryRun: row.dry_run,
    ...(row.undone_by && { undoneBy: row.undone_by }),
    state: row.state,
    progress: row.progress,
    rows: row.rows,
    created: row.created,
    changed: row.changed,
    unchanged: row.unchanged,
    refused: row.refused,
    ...(problem && { problem }),
    ...(row.columns && { columns: row.columns }),
    ...(row.ignored && row.ignored.length > 0 && { ignored: row.ignored }),
    by: row.by,
    createdAt: row.created_at.toISOString(),
    ...(row.finished_at && { finishedAt: row.finished_at.toISOString() }),
  };
}
