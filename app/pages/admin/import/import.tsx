import { useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { ProductImport } from "../../../../api/import-calls.ts";
import { COLUMNS } from "../../../../shop/import/column-names.ts";
import { Breadcrumbs } from "../../../components/breadcrumbs.tsx";
import { Button } from "../../../components/button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { FormError } from "../../../components/field.tsx";
import { focusHeading } from "../../../components/focus-heading.ts";
import { count } from "../../../components/format.ts";
import { ONE_FILE } from "../../../components/one-file.ts";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Panel } from "../../../components/panel.tsx";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { useFileDrop } from "../../../components/use-file-drop.ts";
import { useCallOnce } from "../../../data/call-once.ts";
import { useBusy } from "../../../data/use-busy.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../../data/use-on-return.ts";
import { callerIn } from "../../dashboard/require-session.ts";
import { ExportLink } from "../export-link.tsx";
import "../../../styles/import.css";
import type { Route } from "./+types/import.ts";
import { ChooseColumns, needsChoice } from "./choose-columns.tsx";
import { readFirstRows } from "./read-first-rows.ts";

export const meta = () => pageTitle("Import tools");

export async function loader({ context }: Route.LoaderArgs) {
  return { imports: await callerIn(context).call("listImports", {}) };
}

/** Uploads a CSV file, which is compared with the catalogue first, and lists the last imports. */
export default function ImportPage({ loaderData }: Route.ComponentProps) {
  const imports = useLoaderResult(loaderData.imports);
  useRevalidateOnReturn();
  return (
    <>
      <Breadcrumbs
        items={[{ label: "Manage Products", to: "/dashboard/manageProduct" }, { label: "Import" }]}
      />
      <PageHead
        title="Import tools"
        fact="A file is compared with the catalogue first. Nothing changes until you apply it."
        action={<ExportLink path="/admin/products/export.csv" />}
      />
      <FileForm />
      <QueryBoundary loaded={imports} failed="The last imports could not be loaded.">
        {({ imports: rows }) =>
          rows.length > 0 && (
            <Panel
              flush
              title="Last imports and bulk changes"
              className="imports"
              aside={<ExportLink small path="/admin/imports/export.csv" />}
            >
              <Table caption="Last imports" columns={columns} rows={rows} rowKey={({ _id }) => _id} />
            </Panel>
          )
        }
      </QueryBoundary>
    </>
  );
}

const otherColumns = COLUMNS.filter((column) => column !== "item_number")
  .join(", ")
  .replace(/, (\w+)$/, " and $1");

function FileForm() {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const callOnce = useCallOnce();
  /** the file whose columns the admin has to choose */
  const [columnChoice, setColumnChoice] = useState<{ file: File; rows: string[][] } | null>(null);
  const [isBusy, run] = useBusy();
  const [failure, setFailure] = useState<string | null>(null);
  const drop = useFileDrop((files) => {
    if (files.length > 1) setFailure(ONE_FILE);
    else void run(() => choose(files[0]));
  });

  async function choose(file: File | undefined) {
    if (!file) return;
    setFailure(null);
    if (input.current) input.current.value = "";
    const rows = await readFirstRows(file).catch(() => null);
    if (!rows) return setFailure(`${file.name} could not be read. Choose it again.`);
    if (needsChoice(rows)) setColumnChoice({ file, rows });
    else return compare(file);
  }

  async function compare(file: File, columns?: string) {
    setFailure(null);
    const form = new FormData();
    form.append("dryRun", "true");
    if (columns) form.append("columns", columns);
    form.append("file", file);
    const { name, size, lastModified } = file;
    const request = { name, size, lastModified, columns };
    const outcome = await callOnce("importProducts", { body: form as never }, request);
    if (outcome.ok) return navigate(`/dashboard/import/${outcome.data._id}`);
    setFailure(outcome.fields?.columns ?? outcome.fields?.file ?? outcome.detail);
  }

  if (columnChoice)
    return (
      <ChooseColumns
        rows={columnChoice.rows}
        fileName={columnChoice.file.name}
        busy={isBusy}
        failure={failure}
        onCompare={(fields) => void run(() => compare(columnChoice.file, fields.join(",")))}
        onCancel={() => {
          setColumnChoice(null);
          setFailure(null);
          focusHeading(); // the button will be gone
        }}
      />
    );
  return (
    <div className="import-drop" {...drop}>
      <FormError>{failure}</FormError>
      <p>
        <b>Drop a CSV file here.</b> It needs the column <code>item_number</code>; the others are{" "}
        {otherColumns}. For a file with other headings you choose what each column is. A column that is
        missing leaves its values as they are.
      </p>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,text/csv"
        className="vh"
        tabIndex={-1}
        aria-label="CSV file"
        onChange={({ target }) => void run(() => choose(target.files?.[0]))}
      />
      <Button look="primary" busy={isBusy} onClick={() => input.current?.click()}>
        Choose file
      </Button>
    </div>
  );
}

const columns: Column<ProductImport>[] = [
  {
    heading: "File or change",
    kind: "lead",
    cell: ({ _id, fileName }) => (
      <Link className="link clamp" title={fileName} to={`/dashboard/import/${_id}`} prefetch="intent">
        {fileName}
      </Link>
    ),
  },
  {
    heading: "Started",
    cell: ({ createdAt, by }) => (
      <>
        <DateTime at={createdAt} time />
        <small className="cell-2">{by}</small>
      </>
    ),
  },
  { heading: "State", cell: stateOf },
  { heading: "Rows", kind: "figure", cell: ({ rows }) => count(rows) },
  { heading: "Changed", kind: "figure", cell: ({ changed }) => count(changed) },
  { heading: "New", kind: "figure", cell: ({ created }) => count(created) },
  { heading: "Refused", kind: "figure", cell: ({ refused }) => count(refused) },
];

function stateOf({ state, dryRun, undoneBy, progress, problem }: ProductImport): string {
  if (problem && state !== "failed") return "Waiting";
  if (state === "queued") return "Queued";
  if (state === "running") return `Running, ${Math.floor(100 * progress)}%`;
  if (state === "failed") return "Failed";
  if (undoneBy) return "Undone";
  return dryRun ? "Compared, not applied" : "Applied";
}
