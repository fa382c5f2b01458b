import { Fragment } from "react";
import { Link } from "react-router";

/** The last one is the page itself, without a link. */
export function Breadcrumbs({ items }: { items: { label: string; to?: string }[] }) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      {items.map((item, position) => (
        <Fragment key={item.label}>
          {position > 0 && <span aria-hidden="true">/</span>}
          {item.to ? (
            <Link prefetch="intent" to={item.to}>
              {item.label}
            </Link>
          ) : (
            <span aria-current="page">{item.label}</span>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
