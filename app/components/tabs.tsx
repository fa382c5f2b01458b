import { Link } from "react-router";
import { count } from "./format.ts";

interface TabsProps {
  /** for screen readers: "Status" */
  label: string;
  items: { to: string; label: string; count?: number | string | undefined; current: boolean }[];
}

/** Links that filter the list below; the choice is in the address. */
export function Tabs({ label, items }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {items.map((item) => (
        <Link key={item.to} to={item.to} aria-current={item.current || undefined} preventScrollReset>
          {item.label}
          {item.count !== undefined && (
            <span>{typeof item.count === "string" ? item.count : count(item.count)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
