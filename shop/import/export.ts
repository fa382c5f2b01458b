import type { Readable } from "node:stream";
import type { ImportRow, ProductImport } from "../../api/import-calls.ts";
import { ROWS_PER_READ, readPages } from "../../database/pagination.ts";
import { type CsvColumns, streamCsv } from "../csv.ts";
import { exportPages } from "../exports/export-pages.ts";
import { matchProducts, type ProductFilter } from "../products/filter.ts";
import { type ProductSearch, sortings } from "../products/search.ts";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import type { Store } from "../store.ts";
import { importRefusals } from "../texts/import-refusals.ts";
import { COLUMNS } from "./column-names.ts";
import { type Column, type ImportedProduct, writeCell } from "./columns.ts";
import { EXISTING_COLUMNS } from "./find-existing.ts";
import { findColumns, listImportRows, listImports } from "./queries.ts";
import type { StagedRow } from "./stage.ts";

const imports: CsvColumns<ProductImport> = {
  started_at: ({ createdAt }) => createdAt,
  finished_at: ({ finishedAt }) => finishedAt,
  by: ({ by }) => by,
  kind: ({ kind }) => kind,
  file: ({ fileName }) => fileName,
  dry_run: ({ dryRun }) => dryRun,
  state: ({ state }) => state,
  undone: ({ undoneBy }) => undoneBy !== undefined,
  rows: ({ rows }) => rows,
  changed: ({ changed }) => changed,
  created: ({ created }) => created,
  unchanged: ({ unchanged }) => unchanged,
  refused: ({ refused }) => refused,
  problem: ({ problem }) => problem,
};

export async function exportImports(store: Store, { bom }: { bom: boolean }): Promise<Readable> {
  const { imports: rows } = await listImports(store);
  return streamCsv(imports, oneBatch(rows), { bom });
}

async function* oneBatch<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

// the rows of an import are matched by their item number, which it does not change
const importRows: CsvColumns<ImportRow> = {
  row: ({ row }) => row,
  result: ({ status }) => status,
  item_number: ({ itemNumber }) => itemNumber,
  tool: ({ name }) => name,
  reason: ({ reason }) => reason,
  ...Object.fromEntries(
    [...COLUMNS, "archived" as const]
      .filter((column) => column !== "item_number")
      .flatMap((column) => [
        [`${column}_was`, (row: ImportRow) => changeOf(row, column)?.was],
        [`${column}_is`, (row: ImportRow) => changeOf(row, column)?.is],
      ]),
  ),
};

const changeOf = ({ changes }: ImportRow, column: Column) =>
  changes.find((change) => change.column === column);

export const exportImportRows = (
  store: Store,
  importId: string,
  { status, bom }: { status?: ImportRow["status"] | undefined; bom: boolean },
) =>
  exportPages(importRows, "records", { bom }, async ({ limit, cursor }) => {
    const search = { status, after: Number(cursor ?? 0), limit, maxLength: Infinity };
    const page = await listImportRows(store, importId, search);
    return isRefusal(page) ? page : { ...page, next: page.next?.toString() };
  });

type RefusedRow = Pick<StagedRow, "row" | "cells" | "reason">;

export async function exportRefusedRows(
  store: Store,
  importId: string,
  { bom }: { bom: boolean },
): Promise<Readable | Refusal> {
  const importedColumns = await findColumns(store, importId);
  if (!importedColumns) return refuse("missing", importRefusals.importNotFound);
  const columns: CsvColumns<RefusedRow> = Object.fromEntries([
    ...importedColumns.map((column, index) => [column, (row: RefusedRow) => row.cells[index]]),
    ["reason", (row: RefusedRow) => row.reason],
  ]);
  return streamCsv(columns, readRefused(store, importId), { bom });
}

async function* readRefused({ pool }: Store, importId: string): AsyncGenerator<RefusedRow[]> {
  let after = 0;
  for (;;) {
    const { rows } = await pool.query<RefusedRow>(
      `SELECT row, cells, reason FROM shop.product_import_row
       WHERE import_id = $1 AND status = 'refused' AND row > $2 ORDER BY row LIMIT ${ROWS_PER_READ}`,
      [importId, after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}

type ExportedProduct = ImportedProduct & { id: string };

const productColumns = (columns: readonly Column[]): CsvColumns<ExportedProduct> =>
  Object.fromEntries(columns.map((column) => [column, (product) => writeCell(column, product)]));

export async function exportProducts(
  store: Store,
  { bom, sort, ...search }: ProductFilter & Pick<ProductSearch, "sort"> & { bom: boolean },
): Promise<Readable> {
  const matching = matchProducts(search);
  const products = readPages<ExportedProduct>(
    store.pool,
    {
      text: `SELECT ${EXISTING_COLUMNS} FROM shop.product WHERE ${matching.text}`,
      values: matching.values,
    },
    sortings[sort],
  );
  // an import refuses archived products
  const columns: readonly Column[] = search.archived ? [...COLUMNS, "archived"] : COLUMNS;
  return streamCsv(productColumns(columns), products, { bom });
}
