import { dashboardPages } from "virtual:dashboard-pages";
import { Fragment } from "react";
import { Link } from "react-router";
import { Count } from "../../components/chip.tsx";
import { PaletteKey } from "./command-palette/palette-key.tsx";
import { type LoadedUnshippedCount, useUnshippedCount } from "./orders/use-unshipped-count.ts";

const entries = dashboardPages.filter(({ menu }) => menu === "admin" || menu === "both");

/** The dashboard's menu for admins (specification, section 2). `page` is the name of the current page. */
export function AdminMenu({ page, loaded }: { page: string; loaded: LoadedUnshippedCount }) {
  const unshipped = useUnshippedCount(loaded);
  return (
    <>
      {entries.map(({ name, label, startsGroup, prefetch, current }) => (
        <Fragment key={name}>
          {startsGroup && <span className="side__sep" />}
          <Link
            prefetch={prefetch ?? "intent"}
            to={`/dashboard/${name}`}
            aria-current={current.includes(page) ? "page" : undefined}
          >
            {label}
            {name === "manageOrder" && unshipped ? <Count value={unshipped} noun="to ship" /> : null}
          </Link>
        </Fragment>
      ))}
      <p className="side__key">
        Search <kbd>Ctrl K</kbd>
      </p>
      <PaletteKey />
    </>
  );
}
