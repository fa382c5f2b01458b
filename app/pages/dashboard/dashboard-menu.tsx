import { dashboardPages } from "virtual:dashboard-pages";
import { Fragment } from "react";
import { Link } from "react-router";
import type { User } from "../../../api/entities.ts";
import { Count } from "../../components/chip.tsx";
import { PaletteKey } from "../admin/command-palette/palette-key.tsx";
import { type LoadedUnshippedCount, useUnshippedCount } from "../admin/orders/use-unshipped-count.ts";

interface DashboardMenuProps {
  role: User["role"];
  /** the name of the current page */
  page: string;
  loaded: LoadedUnshippedCount;
}

/** The menu of a role (specification, section 2). */
export function DashboardMenu({ role, page, loaded }: DashboardMenuProps) {
  const unshipped = useUnshippedCount(loaded);
  const entries = dashboardPages.filter(({ menu }) => menu === role || menu === "both");
  return (
    <>
      {entries.map(({ name, label, startsGroup, prefetch, children }) => (
        <Fragment key={name}>
          {startsGroup && <span className="side__sep" />}
          <Link
            prefetch={prefetch ?? "intent"}
            to={`/dashboard/${name}`}
            aria-current={name === page || children?.includes(page) ? "page" : undefined}
          >
            {label}
            {name === "manageOrder" && unshipped ? (
              <Count value={unshipped} noun="order lines to ship" />
            ) : null}
          </Link>
        </Fragment>
      ))}
      {role === "admin" && (
        <>
          <p className="side__key">
            Search <kbd>Ctrl K</kbd>
          </p>
          <PaletteKey />
        </>
      )}
    </>
  );
}
