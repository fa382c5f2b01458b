import { z } from "zod";
import { MAX_PIECES } from "../shop/cart/limits.ts";
import { COLUMNS } from "../shop/import/column-names.ts";
import { toCents } from "../shop/money.ts";
import { importRefusals } from "../shop/texts/import-refusals.ts";
import { refusals } from "../shop/texts/refusals.ts";
import { productFilter, productSort } from "./admin-calls.ts";
import { call } from "./call.ts";
import {
  byId,
  count,
  exportQuery,
  id,
  isNumeral,
  listOf,
  notBlank,
  numeral,
  uploadedFile,
} from "./fields.ts";

const MAX_FILE_BYTES = 256 * 1024 * 1024;

const productImport = z.object({
  _id: z.uuid(),
  kind: z
    .enum(["file", "bulk", "undo"])
    .describe("`bulk` changes many products at once; `undo` reverts another import."),
  fileName: z.string().describe("The name of the file, or a description of the change."),
  dryRun: z
    .boolean()
    .describe("Whether rows are only compared with the catalogue. It can be applied once it is done."),
  state: z.enum(["queued", "running", "done", "failed"]),
  progress: z.number(),
  rows: count,
  created: count,
  changed: count,
  unchanged: count,
  refused: count,
  undoneBy: z.uuid().optional().describe("The import that reverts this one."),
  problem: z
    .string()
    .optional()
    .describe("Why it failed or, while it is not finished, why it waits for another attempt."),
  columns: z.array(z.string()).optional().describe("The columns of the file that are imported."),
  ignored: z.array(z.string()).optional().describe("The columns of the file that are not imported."),
  by: z.string(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().optional(),
});

export const importStatuses = ["new", "changed", "unchanged", "refused"] as const;

const importRow = z.object({
  row: count,
  status: z.enum(importStatuses),
  name: z.string().optional(),
  itemNumber: z.string().optional(),
  productId: z.uuid().optional(),
  archived: z.literal(true).optional().describe("The product is archived."),
  reason: z.string().optional(),
  changes: z
    .array(z.object({ column: z.string(), was: z.string().optional(), is: z.string() }))
    .describe("From the product (`was`) and from the file (`is`), by column. A new product has only `is`."),
});

export type ProductImport = z.infer<typeof productImport>;
export type ImportRow = z.infer<typeof importRow>;

const bulkFields = [
  "price",
  "quantity",
  "minimum_order",
  "order_multiple",
  "reorder_point",
  "category",
  "archived",
] as const;

const bulkChangeFields = z.strictObject({
  ids: z
    .array(id)
    .min(1)
    .max(10_000)
    .optional()
    .describe("The products, instead of filters. All that match the filters if absent."),
  ...productFilter,
  field: z.enum(bulkFields),
  how: z
    .enum(["set", "percent", "amount"])
    .describe("`percent` and `amount` are added, and may be negative. `archived` is set to `yes` or `no`."),
  value: z.union([
    z.number(),
    z
      .string()
      .trim()
      .max(80)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, refusals.unreadableText),
  ]),
  roundTo: z
    .number()
    .min(0.01)
    .max(1000)
    .refine((dollars) => toCents(dollars) !== null, refusals.tooManyDecimals)
    .optional()
    .describe("In dollars: prices are rounded to multiples of it."),
});

export type BulkChange = z.output<typeof bulkChangeFields>;
export type BulkField = BulkChange["field"];

function bulkValueProblem({ field, how, value }: BulkChange) {
  if (field === "category")
    return how === "set" && String(value).length <= 80 ? null : importRefusals.categoryIsSet;
  if (field === "archived")
    return how === "set" && (value === "yes" || value === "no") ? null : importRefusals.archivedIsSet;
  if (typeof value === "string" && !isNumeral(value)) return refusals.numberRequired;
  const amount = Number(value);
  const isWhole = (factor: number) => Math.round(amount * factor) / factor === amount;
  if (how === "percent" || field === "price") {
    const most = how === "percent" ? 1000 : 1_000_000;
    if (!isWhole(100)) return refusals.tooManyDecimals;
    return Math.abs(amount) <= most ? null : refusals.atMost(most);
  }
  if (!isWhole(1)) return refusals.wholeNumber;
  return Math.abs(amount) <= MAX_PIECES ? null : refusals.atMost(MAX_PIECES);
}

const filterNames = Object.keys(productFilter) as (keyof typeof productFilter)[];

const bulkChange = bulkChangeFields
  .refine((change) => bulkValueProblem(change) === null, {
    path: ["value"],
    error: ({ input }) => bulkValueProblem(input as BulkChange) ?? undefined,
  })
  .superRefine((change, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: "custom", path: [name], message });
    const filter = filterNames.find((name) => change[name] !== undefined);
    if (change.ids && filter) refuse(filter, importRefusals.idsOrFilters);
    if (change.roundTo !== undefined && change.field !== "price")
      refuse("roundTo", importRefusals.onlyPricesAreRounded);
    const { value: _, ...filters } = change;
    notBlank(filters, context);
  });

/** Comma-separated; empty for a column that is not read. */
const fileColumns = z
  .string()
  .max(20_000)
  .transform((text) => text.split(","))
  .pipe(listOf(["", ...COLUMNS], importRefusals.badFields))
  .refine((fields) => {
    const read = fields.filter(Boolean);
    return read.includes("item_number") && new Set(read).size === read.length;
  }, importRefusals.badFields);

const columns = COLUMNS.join(", ");

export const importCalls = {
  importProducts: call("POST /admin/products/import", {
    access: "admin",
    idempotency: "transaction",
    upload: MAX_FILE_BYTES,
    status: 202,
    summary:
      `Imports tools from a CSV file with some of the columns ${columns}. They are matched by item number; a column ` +
      "that is missing leaves its values as they are. With `dryRun=true` the file is only compared; without, the admin " +
      "must have signed in or confirmed within the last hour. `columns` names the field of each column of the file, in " +
      "their order, where the headings do not: `item_number,,price` does not read the second one. The import goes " +
      "on by itself: see `GET /admin/imports/{id}`.",
    body: z.strictObject({
      file: uploadedFile,
      dryRun: z.stringbool().default(false),
      columns: fileColumns.optional(),
    }),
    output: z.object({ _id: z.uuid() }),
  }),
  listImports: call("GET /admin/imports", {
    access: "admin",
    summary: "The last 20 imports, newest first. They are kept for 30 days.",
    output: z.object({ imports: z.array(productImport) }),
  }),
  findImport: call("GET /admin/imports/{id}", {
    access: "admin",
    summary: "State, progress and result of an import.",
    params: byId,
    output: productImport,
  }),
  listImportRows: call("GET /admin/imports/{id}/rows", {
    access: "admin",
    summary:
      "The rows of an import, with what each changes or why it is refused: filter by status, paginate.",
    params: byId,
    query: z.strictObject({
      status: z.enum(importStatuses).optional(),
      limit: numeral(z.number().int().min(1).max(100)).default(50),
      after: numeral(z.number().int().min(0).max(2_147_483_647)).default(0),
    }),
    output: z.object({ records: z.array(importRow), next: count.optional() }),
  }),
  applyImport: call("POST /admin/imports/{id}/apply", {
    access: "admin",
    stepUp: true,
    idempotency: "transaction",
    status: 202,
    summary:
      "Applies a finished dry run; refused rows are left out, and so are tools that were changed since. 409 if it is " +
      "applied already.",
    params: byId,
    output: z.object({ _id: z.uuid() }),
  }),
  changeProducts: call("POST /admin/products/bulk", {
    access: "admin",
    manyLines: true,
    idempotency: "transaction",
    status: 202,
    summary:
      "Compares one change of many tools, as a dry run: see `GET /admin/imports/{id}`, and apply it as an import. A " +
      "price that is raised or lowered takes its price breaks along.",
    body: bulkChange,
    output: z.object({ _id: z.uuid() }),
  }),
  undoImport: call("POST /admin/imports/{id}/undo", {
    access: "admin",
    stepUp: true,
    idempotency: "transaction",
    status: 202,
    summary:
      "Takes an applied import or bulk change back, once, as another import. Tools whose values were changed again " +
      "since, and new ones, are left as they are.",
    params: byId,
    output: z.object({ _id: z.uuid() }),
  }),
  exportRefusedRows: call("GET /admin/imports/{id}/refused.csv", {
    access: "admin",
    acceptsSession: true,
    csv: "refused",
    summary:
      "The refused rows of an import as CSV with a column `reason`; corrected, the file can be imported again. " +
      "`bom=true` begins with a byte order mark, for Excel.",
    params: byId,
    query: exportQuery({}),
    output: z.string(),
  }),
  exportProducts: call("GET /admin/products/export.csv", {
    access: "admin",
    acceptsSession: true,
    csv: "products",
    summary:
      "The tools that `GET /admin/products` finds with the same filters and order, without any all on sale, as CSV with the columns of " +
      `an import: ${columns}. A cell that begins like a formula has a ` +
      "leading apostrophe, which an import takes away. `bom=true` begins with a byte order mark, for Excel.",
    query: exportQuery({ ...productFilter, sort: productSort }),
    output: z.string(),
  }),
};
