import type { ReactNode } from "react";
import { Link } from "react-router";
import { labels } from "../../../shop/texts/specification.ts";
import { Count } from "../../components/chip.tsx";
import { PaletteKey } from "./command-palette/palette-key.tsx";
import { type LoadedUnshippedCount, useUnshippedCount } from "./orders/use-unshipped-count.ts";

/**
 * The dashboard's menu for admins (specification, section 2), with the overview, the synonyms, the reviews, the
 * history, the books, the activity of accounts and the mails.
 * `current` is the last part of the address of the entry that is open.
 */
export function AdminMenu({
  current,
  loaded,
}: {
  current: string | undefined;
  loaded: LoadedUnshippedCount;
}) {
  const waiting = useUnshippedCount(loaded);
  const { profile, manageOrders, addTool, manageProducts, makeAdmin } = labels.menu;
  const entry = (path: string, label: ReactNode, prefetch: "intent" | "none" = "intent") => (
    <Link prefetch={prefetch} to={`/dashboard/${path}`} aria-current={path === current ? "page" : undefined}>
      {label}
    </Link>
  );
  return (
    <>
      {entry("overview", "Overview")}
      {entry("profile", profile)}
      <span className="side__sep" />
      {entry(
        "manageOrder",
        <>
          {manageOrders}
          {waiting ? <Count of={waiting} noun="to ship" /> : null}
        </>,
      )}
      {entry("addProduct", addTool)}
      {entry("manageProduct", manageProducts)}
      {entry("synonyms", "Synonyms")}
      {entry("makeAdmin", makeAdmin)}
      <span className="side__sep" />
      {entry("reviews", "Reviews")}
      {entry("history", "History")}
      {/* its loader has the books compared, which is more than a pointer that passes should start */}
      {entry("books", "Books", "none")}
      {entry("activity", "Activity")}
      {entry("mails", "Mails")}
      <p className="side__key">
        <kbd>Ctrl K</kbd> finds anything
      </p>
      <PaletteKey />
    </>
  );
}
