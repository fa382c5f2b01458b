interface ExportLinkProps {
  path: string;
  query: Record<string, string | undefined>;
}

/** Downloads all rows of a filtered list as a CSV file for Excel. */
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
