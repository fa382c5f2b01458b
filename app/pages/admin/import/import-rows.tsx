import { Link } from "react-router";
import type { ImportRow, ProductImport } from "../../../../api/import-calls.ts";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { Pager } from "../../../components/pager.tsx";
import { Panel } from "../../../components/panel.tsx";
import { EmptyState } from "../../../components/states.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { ExportLink } from "../export-link.tsx";

interface ImportRowsProps {
  productImport: ProductImport;
  records: ImportRow[];
  next: number | undefined;
  params: ListParams;
}

/** The changes or the refusal of each row. */
export function ImportRows({ productImport: { _id: id, refused }, records, next, params }: ImportRowsProps) {
  return (
    <>
      <Panel
        flush
        title="Result by row"
        aside={
          <div className="acts">
            {refused > 0 && (
              <ExportLink small path={`/admin/imports/${id}/refused.csv`} label="Refused rows as CSV" />
            )}
            <ExportLink
              small
              path={`/admin/imports/${id}/rows/export.csv`}
              query={{ status: oneOf(params.get("status"), Object.keys(statusLabels)) }}
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
        previous={params.get("after") && params.to({ after: undefined })}
        previousLabel="First rows"
        next={next === undefined ? undefined : params.to({ after: String(next) })}
      />
    </>
  );
}

/** Not `importStatuses`, which would bring the contract's schemas into the script. */
const statusLabels: Record<ImportRow["status"], string> = {
  new: "New",
  changed: "Change",
  unchanged: "Same",
  refused: "Refused",
};

const columns: Column<ImportRow>[] = [
  { heading: "Row", kind: "figure", cell: ({ row }) => count(row) },
  {
    heading: "Tool",
    kind: "lead",
    cell: ({ name, itemNumber, productId, archived }) => (
      <>
        <b className="clamp">
          {productId ? (
            <Link
              className="link"
              // an archived tool cannot be edited
              to={archived ? `/dashboard/stock/${productId}` : `/dashboard/editProduct/${productId}`}
            >
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
    heading: "Result",
    cell: ({ status }) => <span className={`result result--${status}`}>{statusLabels[status]}</span>,
  },
  {
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

/** Of a new product, only the values that its row does not show in another column. */
function isInformative({ column, was, is }: ImportRow["changes"][number]): boolean {
  return was !== undefined || (is !== "" && column !== "name" && column !== "item_number");
}
