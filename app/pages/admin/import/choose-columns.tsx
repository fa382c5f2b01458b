import { useEffect, useRef, useState } from "react";
import { COLUMNS, columnOf, isKnown } from "../../../../shop/import/column-names.ts";
import { Button } from "../../../components/button.tsx";
import { FormError } from "../../../components/field.tsx";
import { PanelHead } from "../../../components/panel.tsx";
import { Select } from "../../../components/select.tsx";
import { type Column, Table } from "../../../components/table.tsx";

interface FileColumn {
  index: number;
  heading: string;
  examples: string;
}

interface ChooseColumnsProps {
  /** the heading and some rows of the file */
  rows: string[][];
  fileName: string;
  busy: boolean;
  failure: string | null;
  /** called with the field of each column, empty if it is not read */
  onCompare: (fields: string[]) => void;
  onCancel: () => void;
}

/** Whether a heading is unknown, two are of the same field, or the item number is missing. */
export function needsChoice([heading = []]: string[][]): boolean {
  const hasUnknown = heading.some((cell) => cell.trim() !== "" && !isKnown(cell));
  const fields = heading.map(columnOf).filter(Boolean);
  const hasDuplicates = new Set(fields).size < fields.length;
  return heading.length > 0 && (hasUnknown || hasDuplicates || !fields.includes("item_number"));
}

/** Assigns a field to each column of the file, as chosen the last time or guessed from the headings. */
export function ChooseColumns({ rows, fileName, busy, failure, onCompare, onCancel }: ChooseColumnsProps) {
  const [heading = [], ...exampleRows] = rows;
  const [fields, setFields] = useState<string[]>(() => {
    const remembered = loadFields(heading);
    if (remembered) return remembered;
    const guessed = heading.map((cell) => columnOf(cell) ?? "");
    return guessed.map((field, index) => (guessed.indexOf(field) === index ? field : ""));
  });
  const [problem, setProblem] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);

  const columns: Column<FileColumn>[] = [
    {
      heading: "Column of the file",
      kind: "lead",
      cell: (column) => (
        <>
          <b className="clamp">{nameOf(column)}</b>
          <small className="cell-2 clamp" title={column.examples}>
            {column.examples || "no values in the first rows"}
          </small>
        </>
      ),
    },
    {
      heading: "Is read as",
      wide: true,
      cell: (column) => (
        <Select
          aria-label={`${nameOf(column)} is read as`}
          value={fields[column.index]}
          onChange={({ target: { value } }) => {
            setProblem(null);
            setFields((current) =>
              current.map((field) => (field === value ? "" : field)).with(column.index, value),
            );
          }}
          options={[["", "Not read"], ...COLUMNS.map((name) => [name, name.replaceAll("_", " ")] as const)]}
        />
      ),
    },
  ];

  function compare() {
    if (!fields.includes("item_number"))
      return setProblem("Choose the column with the item numbers: tools are matched by them.");
    saveFields(heading, fields);
    onCompare(fields);
  }

  return (
    <section className="panel import-columns" aria-labelledby="import-columns">
      <PanelHead title={`Columns of ${fileName}`} id="import-columns" tabIndex={-1} ref={title} />
      <Table
        caption="Columns of the file and the fields they are read as"
        columns={columns}
        rows={heading.map((cell, index) => ({
          index,
          heading: cell.trim(),
          examples: exampleRows
            .map((cells) => cells[index]?.trim())
            .filter(Boolean)
            .join(", "),
        }))}
        rowKey={({ index }) => String(index)}
      />
      <div className="import-columns__acts">
        <FormError reveal>{problem ?? failure}</FormError>
        <div className="acts">
          <Button look="primary" busy={busy} onClick={compare}>
            Compare
          </Button>
          <Button disabled={busy} onClick={onCancel}>
            Other file
          </Button>
        </div>
      </div>
    </section>
  );
}

const nameOf = ({ heading, index }: FileColumn) => heading || `Column ${index + 1}`;

/** The fields that were chosen for the last file, since an ERP writes the same headings every time. */
const STORAGE_KEY = "stator.import-fields";

/** Null if the last file had other headings, or what is stored is none of this. */
function loadFields(heading: string[]): string[] | null {
  try {
    const [remembered, fields] = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as [unknown, string[]];
    const isSameFile = JSON.stringify(remembered) === JSON.stringify(heading);
    return isSameFile && fields.length === heading.length ? fields : null;
  } catch {
    return null;
  }
}

function saveFields(heading: string[], fields: string[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify([heading, fields]));
}
