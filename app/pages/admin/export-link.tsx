import { classNames } from "../../components/class-names.ts";

interface ExportLinkProps {
  path: string;
  query?: Record<string, string | undefined>;
  /** in the heading of a panel */
  small?: boolean;
  label?: string;
}

/** Downloads all rows of a filtered list as a CSV file for Excel. */
export function ExportLink({ path, query = {}, small, label = "Export CSV" }: ExportLinkProps) {
  const filters = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return (
    <a
      className={classNames("btn btn--line", small && "btn--sm")}
      href={`${path}?${new URLSearchParams([...filters, ["bom", "true"]])}`}
      download
    >
      <span className="btn__label">{label}</span>
    </a>
  );
}
