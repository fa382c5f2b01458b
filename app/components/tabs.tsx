import { Link } from "react-router";
import { count } from "./format.ts";

interface TabsProps {
  /** what the tabs choose, for a screen reader: "Status" */
  label: string;
  items: { to: string; label: string; count?: number | undefined; current: boolean }[];
}

/** A strip of links that filter the list below; the choice lives in the address. */
export function Tabs({ label, items }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {items.map((item) => (
        <Link key={item.to} to={item.to} aria-current={item.current || undefined} preventScrollReset>
          {item.label}
          {item.count !== undefined && <span>{count(item.count)}</span>}
        </Link>
      ))}
    </nav>
  );
}
