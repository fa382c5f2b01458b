import { useEffect, useRef, useState } from "react";
import { COLUMNS, columnOf, isKnown } from "../../../../shop/import/column-names.ts";
import { Button } from "../../../components/button.tsx";
import { FormError } from "../../../components/field.tsx";
import { Select } from "../../../components/select.tsx";
import { type Column, Table } from "../../../components/table.tsx";

interface FileColumn {
  place: number;
  heading: string;
  examples: string;
}

interface ChooseColumnsProps {
  /** the heading and some rows of the file */
  rows: string[][];
  fileName: string;
  busy: boolean;
  failure: string | null;
  /** the field of each column, empty if it is not read */
  onCompare: (fields: string[]) => void;
  onCancel: () => void;
}

/** Whether a heading is none that an import knows, two are the same field, or the item number is missing. */
export function needsChoice([heading = []]: string[][]): boolean {
  const isUnknown = heading.some((cell) => cell.trim() !== "" && !isKnown(cell));
  const fields = heading.map(columnOf).filter(Boolean);
  const isTwice = new Set(fields).size < fields.length;
  return heading.length > 0 && (isUnknown || isTwice || !fields.includes("item_number"));
}

/** The fields of the file's columns, as chosen the last time or guessed from their headings. A field has one column. */
export function ChooseColumns({ rows, fileName, busy, failure, onCompare, onCancel }: ChooseColumnsProps) {
  const [heading = [], ...others] = rows;
  const [fields, setFields] = useState<string[]>(() => {
    const before = recallFields(heading);
    if (before) return before;
    const guessed = heading.map((cell) => columnOf(cell) ?? "");
    return guessed.map((field, place) => (guessed.indexOf(field) === place ? field : ""));
  });
  const [problem, setProblem] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);

  const columns: Column<FileColumn>[] = [
    {
      heading: "Column of the file",
      kind: "lead",
      cell: (one) => (
        <>
          <b className="clamp">{nameOf(one)}</b>
          <small className="cell-2 clamp">{one.examples || "no values in the first rows"}</small>
        </>
      ),
    },
    {
      heading: "Is read as",
      wide: true,
      cell: (one) => (
        <Select
          aria-label={`${nameOf(one)} is read as`}
          value={fields[one.place]}
          onChange={({ target: { value } }) => {
            setProblem(null);
            setFields((now) => now.map((field) => (field === value ? "" : field)).with(one.place, value));
          }}
          options={[["", "Not read"], ...COLUMNS.map((name) => [name, name.replaceAll("_", " ")] as const)]}
        />
      ),
    },
  ];

  function compare() {
    if (!fields.includes("item_number"))
      return setProblem("Choose the column with the item numbers: tools are matched by them.");
    rememberFields(heading, fields);
    onCompare(fields);
  }

  return (
    <section className="panel import-columns" aria-labelledby="import-columns">
      <div className="panel__hd">
        <h2 className="t-h3" id="import-columns" tabIndex={-1} ref={title}>
          Columns of {fileName}
        </h2>
      </div>
      <Table
        caption="Columns of the file and the fields they are read as"
        columns={columns}
        rows={heading.map((cell, place) => ({
          place,
          heading: cell.trim(),
          examples: others
            .map((cells) => cells[place]?.trim())
            .filter(Boolean)
            .join(", "),
        }))}
        rowKey={({ place }) => String(place)}
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

const nameOf = ({ heading, place }: FileColumn) => heading || `Column ${place + 1}`;

/** The fields that were chosen for the last file, since an ERP writes the same headings every time. */
const KEY = "stator.import-fields";

/** Null if they were those of other headings. */
function recallFields(heading: string[]): string[] | null {
  const [before, fields] = JSON.parse(localStorage.getItem(KEY) ?? "[[],[]]") as [string[], string[]];
  return JSON.stringify(before) === JSON.stringify(heading) ? fields : null;
}

function rememberFields(heading: string[], fields: string[]): void {
  localStorage.setItem(KEY, JSON.stringify([heading, fields]));
}
