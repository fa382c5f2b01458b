import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Form, useLocation } from "react-router";
import { Icon } from "./icon.tsx";
import type { Expanded } from "./suggestions.tsx";

/** The slash key focuses it (head-script.ts). */
export const SEARCH = "search";
/** The form of the tools page: the field belongs to it there, so that text and filters are submitted together. */
export const CATALOGUE = "catalogue";

// public pages have a script budget; the search works without suggestions
const Suggestions = lazy(() => import("./suggestions.tsx").catch(() => ({ default: () => null })));

/** Works before hydration and without a script. On the tools page the list is updated while typing. */
export function SearchBox() {
  const { pathname, search } = useLocation();
  const field = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState(false);
  const [expanded, setExpanded] = useState<Expanded>({ "aria-expanded": false });
  const isCatalogue = pathname === "/tools";
  useEffect(() => {
    if (document.activeElement === field.current) setWanted(true);
  }, []);

  return (
    <Form className="hdr__search" role="search" aria-label="Tools" action="/tools">
      <Icon name="search" />
      <input
        ref={field}
        id={SEARCH}
        form={isCatalogue ? CATALOGUE : undefined}
        type="search"
        name="q"
        // biome-ignore lint/a11y/useAriaPropsForRole: `expanded` has aria-expanded and aria-controls
        role="combobox"
        aria-label="Search tools"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        {...expanded}
        placeholder="Tool or item number"
        autoComplete="off"
        maxLength={200}
        defaultValue={isCatalogue ? (new URLSearchParams(search).get("q") ?? "") : ""}
        onFocus={() => setWanted(true)}
      />
      <span className="kbd" aria-hidden="true">
        /
      </span>
      {wanted && (
        <Suspense>
          <Suggestions field={field} off={isCatalogue} onExpand={setExpanded} />
        </Suspense>
      )}
    </Form>
  );
}
