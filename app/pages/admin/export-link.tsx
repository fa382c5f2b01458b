interface ExportLinkProps {
  /** of a call that answers CSV */
  path: string;
  /** the filters and the order of the list that is shown */
  query: Record<string, string | undefined>;
}

/** Downloads all rows of a list, with the filters that it is shown with, as a CSV file that Excel opens. */
export function ExportLink({ path, query }: ExportLinkProps) {
  const given = Object.entries(query).filter((member): member is [string, string] => !!member[1]);
  return (
    <a
      className="btn btn--line"
      href={`${path}?${new URLSearchParams([...given, ["bom", "true"]])}`}
      download
    >
      <span className="btn__label">Export CSV</span>
    </a>
  );
}
