import { useEffect, useState } from "react";
import { Link, useNavigate, useRevalidator } from "react-router";
import { type ImportRow, importStatuses, type ProductImport } from "../../../../api/import-calls.ts";
import { Breadcrumbs } from "../../../components/breadcrumbs.tsx";
import { Button, ButtonLink } from "../../../components/button.tsx";
import { DimensionBar } from "../../../components/dimension-bar.tsx";
import { FormError } from "../../../components/field.tsx";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Pager } from "../../../components/pager.tsx";
import { Panel } from "../../../components/panel.tsx";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";
import { type ListParams, useListParams } from "../../../data/use-list-params.ts";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { callerIn, queryOf } from "../../dashboard/require-session.ts";
import { ExportLink } from "../export-link.tsx";
import { useRefusalToast } from "../use-refusal-toast.ts";
import "../../../styles/import.css";
import "../../../styles/order.css";
import type { Route } from "./+types/import-result.ts";

export const meta = () => pageTitle("Import");

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { get } = queryOf(url);
  const { ask } = callerIn(context);
  const status = importStatuses.find((one) => one === get("status"));
  const query = { status, ...(/^\d{1,9}$/.test(get("after") ?? "") && { after: get("after") }) };
  const [found, rows] = await Promise.all([
    ask("findImport", { params: { id: params.id } }),
    ask("listImportRows", { params: { id: params.id }, query }),
  ]);
  return { found, rows };
}

const POLL_MS = 1000;

/** The progress of an import, the changes or refusal of each row, and Apply. */
export default function ImportResultPage({ loaderData }: Route.ComponentProps) {
  const found = useLoaderResult(loaderData.found);
  const rows = useLoaderResult(loaderData.rows);
  const address = useListParams();
  const revalidator = useRevalidator();
  const { data } = found;
  const isRunning = data?.state === "queued" || data?.state === "running";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      if (revalidator.state === "idle") void revalidator.revalidate();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [isRunning, revalidator]);

  return (
    <>
      <Breadcrumbs
        items={[
          { label: "Manage Products", to: "/dashboard/manageProduct" },
          { label: "Import", to: "/dashboard/import" },
          { label: data?.fileName ?? "File" },
        ]}
      />
      <PageHead
        title={data?.kind === "file" ? "Import products" : "Change products"}
        fact={data && <Fact of={data} />}
        action={
          data?.kind === "file" ? (
            <ButtonLink to="/dashboard/import">Other file</ButtonLink>
          ) : (
            <ButtonLink to="/dashboard/manageProduct">Manage Products</ButtonLink>
          )
        }
      />
      <QueryBoundary loaded={found} failed="This import could not be loaded.">
        {(one) => (
          <>
            {isRunning && <ProgressBar of={one} />}
            {one.problem && <FormError>{one.problem}</FormError>}
            {one.ignored && (
              <Notice>
                {one.ignored.length === 1 ? "This column is" : "These columns are"} not read:{" "}
                {one.ignored.join(", ")}.
              </Notice>
            )}
            {one.state === "done" && one.rows === 0 && (
              <EmptyState title="No tools">Nothing is changed by this.</EmptyState>
            )}
            {one.state !== "failed" && one.rows > 0 && (
              <>
                <Figures of={one} address={address} />
                <QueryBoundary loaded={rows} failed="The rows could not be loaded.">
                  {({ records, next }) => (
                    <>
                      <Panel
                        flush
                        title="Result by row"
                        aside={
                          <div className="acts">
                            {one.refused > 0 && (
                              <a
                                className="btn btn--line btn--sm"
                                href={`/admin/imports/${one._id}/refused.csv`}
                                download
                              >
                                <span className="btn__label">Refused rows as CSV</span>
                              </a>
                            )}
                            <ExportLink
                              small
                              path={`/admin/imports/${one._id}/rows/export.csv`}
                              query={{
                                status: statusIn(address),
                              }}
                            />
                          </div>
                        }
                      >
                        {records.length === 0 ? (
                          <EmptyState drawing={false} title="No rows">
                            No row of the file is of this kind.
                          </EmptyState>
                        ) : (
                          <Table
                            className="tbl--import"
                            caption="Rows of the file"
                            columns={columns}
                            rows={records}
                            rowKey={({ row }) => String(row)}
                          />
                        )}
                      </Panel>
                      <Pager
                        previous={address.get("after") && address.to({ after: undefined })}
                        previousLabel="First rows"
                        next={next === undefined ? undefined : address.to({ after: String(next) })}
                      />
                    </>
                  )}
                </QueryBoundary>
                {one.dryRun && one.state === "done" && <Apply one={one} onApplied={found.reload} />}
                {!one.dryRun && one.state === "done" && <Undo one={one} />}
              </>
            )}
          </>
        )}
      </QueryBoundary>
    </>
  );
}

const toolsOf = (amount: number) => (amount === 1 ? "1 tool" : `${count(amount)} tools`);
const rowsOf = (amount: number) => (amount === 1 ? "1 row" : `${count(amount)} rows`);

function Fact({ of: { kind, fileName, state, dryRun, rows, changed, created } }: { of: ProductImport }) {
  const file = <b>{fileName}</b>;
  if (kind !== "file" && state !== "failed") {
    if (state !== "done")
      return (
        <>
          {file} is being {dryRun ? "compared" : "applied"}. You can leave this page.
        </>
      );
    return dryRun ? (
      <>
        {file}, {toolsOf(rows)}. Nothing has been changed yet.
      </>
    ) : (
      <>
        {file} is applied: {count(changed)} changed.
      </>
    );
  }
  if (state === "failed") return <>{file} could not be imported. Nothing was changed.</>;
  if (state !== "done")
    return (
      <>
        {file} is being {dryRun ? "compared" : "imported"}. You can leave this page.
      </>
    );
  if (dryRun)
    return (
      <>
        Dry run of {file}, {rowsOf(rows)}. Nothing has been changed yet.
      </>
    );
  return (
    <>
      {file} is imported: {count(changed)} changed, {count(created)} new.
    </>
  );
}

function ProgressBar({ of: { progress } }: { of: ProductImport }) {
  const percent = Math.floor(100 * progress);
  return (
    <div className="import-progress">
      <DimensionBar part={percent} whole={100} label={`${percent}% done`} />
      <span role="status">{percent}%</span>
    </div>
  );
}

const kinds = [
  [undefined, "All rows", "in their order"],
  ["changed", "Change", "as shown below"],
  ["new", "New", "added to the catalogue"],
  ["unchanged", "Same", "left alone"],
  ["refused", "Refused", "not applied"],
] as const;

function Figures({ of, address }: { of: ProductImport; address: ListParams }) {
  const figures = {
    all: of.rows,
    changed: of.changed,
    new: of.created,
    unchanged: of.unchanged,
    refused: of.refused,
  };
  const status = address.get("status");
  return (
    <nav className="import-figures" aria-label="Rows by result">
      {kinds.map(([kind, label, note]) => (
        <Link
          key={label}
          to={address.to({ status: kind, after: undefined })}
          aria-current={status === kind || undefined}
          preventScrollReset
        >
          <span className="t-label">{label}</span>
          <b className={kind === "refused" && of.refused > 0 ? "is-refused" : undefined}>
            {count(figures[kind ?? "all"])}
          </b>
          <small>{note}</small>
        </Link>
      ))}
    </nav>
  );
}

/** The status in the address, if it is one. */
function statusIn(address: ListParams): string | undefined {
  return Object.keys(statusLabels).find((status) => status === address.get("status"));
}

const statusLabels: Record<ImportRow["status"], string> = {
  new: "New",
  changed: "Change",
  unchanged: "Same",
  refused: "Refused",
};

const columns: Column<ImportRow>[] = [
  { id: "row", heading: "Row", kind: "figure", cell: ({ row }) => count(row) },
  {
    id: "tool",
    heading: "Tool",
    kind: "lead",
    cell: ({ name, itemNumber, productId }) => (
      <>
        <b className="clamp">
          {productId ? (
            <Link className="link" to={`/dashboard/editProduct/${productId}`}>
              {name ?? itemNumber}
            </Link>
          ) : (
            (name ?? itemNumber ?? "no name")
          )}
        </b>
        {name && itemNumber && <small className="cell-2">{itemNumber}</small>}
      </>
    ),
  },
  {
    id: "status",
    heading: "Result",
    cell: ({ status }) => <span className={`result result--${status}`}>{statusLabels[status]}</span>,
  },
  {
    id: "changes",
    heading: "What changes",
    wide: true,
    cell: ({ status, reason, changes }) =>
      reason ? (
        <span className="is-refused">{reason}</span>
      ) : status === "unchanged" ? (
        <span className="soft">Nothing differs</span>
      ) : (
        <ul className="changes">
          {changes.filter(isInformative).map(({ column, was, is }) => (
            <li key={column}>
              <small>{column.replaceAll("_", " ")}</small>{" "}
              {was !== undefined && (
                <>
                  <del>{was || "none"}</del> <Icon name="right" />{" "}
                </>
              )}
              <b>{is || "none"}</b>
            </li>
          ))}
        </ul>
      ),
  },
];

/** The values of a new product that its row does not show. */
function isInformative({ column, was, is }: ImportRow["changes"][number]): boolean {
  return was !== undefined || (is !== "" && column !== "name" && column !== "item_number");
}

function Undo({ one }: { one: ProductImport }) {
  const [isBusy, setIsBusy] = useState(false);
  const showRefusal = useRefusalToast();
  const navigate = useNavigate();
  const total = one.changed;
  if (total === 0) return null;
  async function undo() {
    setIsBusy(true);
    const outcome = await call("undoImport", { params: { id: one._id } });
    setIsBusy(false);
    if (outcome.ok) return navigate(`/dashboard/import/${outcome.data._id}`);
    showRefusal(outcome);
  }
  return (
    <div className="panel import-apply">
      {one.undoneBy ? (
        <p>
          This is undone: <Link to={`/dashboard/import/${one.undoneBy}`}>see what was changed back</Link>.
        </p>
      ) : (
        <>
          <p>
            <b>Undo</b>{" "}
            <span className="soft">
              Gives {toolsOf(total)} the earlier values, but not where a value was changed again since. Pieces
              that were sold stay sold.
            </span>
          </p>
          <Button busy={isBusy} onClick={() => void undo()}>
            Undo
          </Button>
        </>
      )}
    </div>
  );
}

function Apply({ one, onApplied }: { one: ProductImport; onApplied: () => void }) {
  const [isBusy, setIsBusy] = useState(false);
  const showRefusal = useRefusalToast();
  const total = one.changed + one.created;
  if (total === 0) {
    return <p className="soft import-none">There is nothing to apply: no row changes anything.</p>;
  }
  async function apply() {
    setIsBusy(true);
    const outcome = await call("applyImport", { params: { id: one._id } });
    setIsBusy(false);
    if (outcome.ok) toast.success(`${rowsOf(total)} are being applied. You can leave this page.`);
    else showRefusal(outcome);
    onApplied();
  }
  return (
    <div className="panel po import-apply">
      <p>
        <b>Apply {rowsOf(total)}</b>{" "}
        <span className="soft">
          {count(one.changed)} change, {count(one.created)} new.
          {one.refused > 0 && ` Left out: ${rowsOf(one.refused)} with errors.`}
        </span>
      </p>
      <Button look="primary" busy={isBusy} onClick={() => void apply()}>
        Apply {rowsOf(total)}
      </Button>
    </div>
  );
}
