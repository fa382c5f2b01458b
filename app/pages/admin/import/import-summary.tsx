/** The state of an import: as a sentence, as a progress bar, and as numbers of rows that link to the rows. */
import { Link } from "react-router";
import type { ProductImport } from "../../../../api/import-calls.ts";
import { DimensionBar } from "../../../components/dimension-bar.tsx";
import { count, counted } from "../../../components/format.ts";
import type { ListParams } from "../../../data/use-list-params.ts";

export function ImportFact({
  productImport: { kind, fileName, state, dryRun, rows, changed, created, refused },
}: {
  productImport: ProductImport;
}) {
  const isFile = kind === "file";
  const file = <b>{fileName}</b>;
  if (state === "failed") return <>{file} could not be imported. Nothing was changed.</>;
  if (state !== "done") {
    const applied = isFile ? "imported" : "applied";
    return (
      <>
        {file} is being {dryRun ? "compared" : applied}. You can leave this page.
      </>
    );
  }
  if (dryRun)
    return (
      <>
        {isFile && "Dry run of "}
        {file}, {counted(rows, isFile ? "row" : "tool")}. Nothing has been changed yet.
      </>
    );
  return (
    <>
      {file} is {isFile ? "imported" : "applied"}: {count(changed)} changed
      {isFile && `, ${count(created)} new`}
      {refused > 0 && `, ${count(refused)} refused`}.
    </>
  );
}

export function ImportProgress({ productImport: { progress } }: { productImport: ProductImport }) {
  const percent = Math.floor(100 * progress);
  return (
    <div className="import-progress">
      <DimensionBar part={percent} whole={100} label={`${percent}% done`} />
      <span role="status">{percent}%</span>
    </div>
  );
}

const resultFilters = [
  [undefined, "All rows", "in their order"],
  ["changed", "Change", "as shown below"],
  ["new", "New", "added to the catalogue"],
  ["unchanged", "Same", "left alone"],
  ["refused", "Refused", "not applied"],
] as const;

export function ImportFigures({
  productImport,
  params,
}: {
  productImport: ProductImport;
  params: ListParams;
}) {
  const figures = {
    all: productImport.rows,
    changed: productImport.changed,
    new: productImport.created,
    unchanged: productImport.unchanged,
    refused: productImport.refused,
  };
  const status = params.get("status");
  return (
    <nav className="import-figures" aria-label="Rows by result">
      {resultFilters.map(([result, label, note]) => (
        <Link
          key={label}
          to={params.to({ status: result, after: undefined })}
          aria-current={status === result || undefined}
          preventScrollReset
        >
          <span className="t-label">{label}</span>
          <b className={result === "refused" && productImport.refused > 0 ? "is-refused" : undefined}>
            {count(figures[result ?? "all"])}
          </b>
          <small>{note}</small>
        </Link>
      ))}
    </nav>
  );
}
