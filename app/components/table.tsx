import { Fragment, type ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Picture } from "./picture.tsx";

export interface Column<Row> {
  /** unique in its table; of an action for screen readers only */
  heading: string;
  /** instead of the heading on a desktop */
  headingCell?: ReactNode;
  cell: (row: Row) => ReactNode;
  /**
   * `lead` (picture, name) and `action` span the card on a phone; the heading of `action` is for screen readers only;
   * `figure` is right-aligned, `strong` also bold
   */
  kind?: "plain" | "lead" | "figure" | "strong" | "action";
  /** hidden between 768 and 1280 px */
  optional?: boolean;
  /** spans both columns of the card on a phone */
  wide?: boolean;
  /** hidden in the card on a phone */
  hiddenOnPhone?: boolean;
}

export interface RowGroup<Row> {
  heading: string;
  note?: string;
  rows: Row[];
}

interface TableProps<Row> {
  caption: string;
  columns: Column<Row>[];
  /** either rows, or rows in groups */
  rows?: Row[];
  groups?: RowGroup<Row>[];
  rowKey: (row: Row) => string;
  /** below a row, across all columns; null for none */
  detail?: (row: Row) => ReactNode;
  /** with the padding of a table inside a panel; default */
  boxed?: boolean;
  className?: string;
}

/** A table that becomes labelled cards below 768 px. The roles are explicit, because `display` changes there. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, groups, boxed = true, className } = props;
  return (
    <table className={classNames("tbl", boxed && "tbl--box", className)} role="table">
      <caption className="vh">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Heading key={column.heading} column={column} />
          ))}
        </tr>
      </thead>
      {rows && (
        <tbody role="rowgroup">
          <Rows {...props} rows={rows} />
        </tbody>
      )}
      {groups?.map((group) => (
        <tbody role="rowgroup" key={group.heading}>
          <tr role="row" className="grp">
            <th role="rowheader" scope="rowgroup" colSpan={columns.length}>
              {group.heading} {group.note && <small>{group.note}</small>}
            </th>
          </tr>
          <Rows {...props} rows={group.rows} />
        </tbody>
      ))}
    </table>
  );
}

function Rows<Row>({ rows, columns, rowKey, detail }: TableProps<Row> & { rows: Row[] }) {
  const classes = columns.map(cellClass);
  return rows.map((row) => {
    const below = detail?.(row);
    return (
      <Fragment key={rowKey(row)}>
        <tr role="row">
          {columns.map((column, at) => (
            <td
              role={column.kind === "lead" ? "rowheader" : "cell"}
              key={column.heading}
              className={classes[at]}
              data-l={column.heading}
            >
              {column.cell(row)}
            </td>
          ))}
        </tr>
        {below && (
          <tr role="row" className="sub">
            <td role="cell" colSpan={columns.length}>
              {below}
            </td>
          </tr>
        )}
      </Fragment>
    );
  });
}

function Heading<Row>({ column }: { column: Column<Row> }) {
  return (
    <th role="columnheader" scope="col" className={cellClass(column)}>
      {column.headingCell ?? (
        <span className={column.kind === "action" ? "vh" : undefined}>{column.heading}</span>
      )}
    </th>
  );
}

function cellClass<Row>({ kind = "plain", optional, wide, hiddenOnPhone }: Column<Row>): string | undefined {
  const right = kind === "figure" || kind === "strong";
  return (
    classNames(
      right && "r",
      kind === "strong" && "strong",
      kind === "lead" && "full",
      kind === "action" && "act",
      optional && "opt",
      wide && "wide",
      hiddenOnPhone && "hide-m",
    ) || undefined
  );
}

interface LeadProps {
  picture: string;
  name: ReactNode;
  note?: ReactNode;
}

/** The first cell of a product row: thumbnail, name, item number. */
export function Lead({ picture, name, note }: LeadProps) {
  return (
    <div className="item">
      <span className="item__pic">
        <Picture src={picture} alt="" />
      </span>
      <div>
        <b>{name}</b>
        {note && <small>{note}</small>}
      </div>
    </div>
  );
}

/** The buttons at the right of a row; on a phone they share its full width. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="acts">{children}</div>;
}
