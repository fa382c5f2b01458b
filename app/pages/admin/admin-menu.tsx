import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { labels } from "../../../shop/messages.ts";
import { Count } from "../../ui/chip.tsx";
import { PaletteKey } from "./palette-key.tsx";
import { useWaiting } from "./waiting.ts";

/**
 * The dashboard's menu for admins (specification, section 2), with the overview, the history, the books, the
 * activity of accounts and the mails.
 * `current` is the last part of the address of the entry that is open.
 */
export function AdminMenu({ current }: { current: string | undefined }) {
  const { pathname } = useLocation();
  const waiting = useWaiting(pathname);
  const { profile, manageOrders, addTool, manageProducts, makeAdmin } = labels.menu;
  const entry = (path: string, label: ReactNode) => (
    <Link prefetch="intent" to={`/dashboard/${path}`} aria-current={path === current ? "page" : undefined}>
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
      {entry("makeAdmin", makeAdmin)}
      <span className="side__sep" />
      {entry("history", "History")}
      {entry("books", "Books")}
      {entry("activity", "Activity")}
      {entry("mails", "Mails")}
      <p className="side__key">
        <kbd>Ctrl K</kbd> finds anything
      </p>
      <PaletteKey />
    </>
  );
}
