import type { FocusEvent, ToggleEvent } from "react";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { count, counted } from "../../../components/format.ts";
import { type FacetName, facetHeadings, facetNames, singleFacets, valueLabel } from "./wording.ts";

export const FILTERS_ID = "filters";

interface FacetPanelProps {
  result: CatalogueResult;
  filters: URLSearchParams;
  onClear: () => void;
}

/** A column at the left; below 1024 px a full-screen popover, which works before hydration and without scripts. */
export function FacetPanel({ result, filters, onClear }: FacetPanelProps) {
  return (
    <aside
      className="sheetup"
      id={FILTERS_ID}
      popover="auto"
      aria-label="Filters"
      onBlur={closeOnFocusLeave}
      onToggle={focusOnOpen}
    >
      <div className="sheetup__hd">
        <h2 className="t-h3">Filters</h2>
        <IconButton
          icon="close"
          label="Close filters"
          popoverTarget={FILTERS_ID}
          popoverTargetAction="hide"
        />
      </div>
      <div className="sheetup__bd">
        <div className="facets">
          {facetNames.map((facet) => (
            <FacetGroup key={facet} facet={facet} result={result} filters={filters} />
          ))}
          <noscript>
            <Button type="submit" look="ink" block>
              Show tools
            </Button>
          </noscript>
        </div>
      </div>
      <div className="sheetup__ft">
        <Button onClick={onClear}>Clear all</Button>
        <Button type="submit" look="primary" onClick={closeSheet}>
          Show {counted(result.total, "tool")}
        </Button>
      </div>
    </aside>
  );
}

/** The sheet covers its button, so it takes the focus; the browser returns it on close. */
function focusOnOpen({ currentTarget: sheet, newState }: ToggleEvent<HTMLElement>) {
  if (newState === "open") sheet.querySelector("button")?.focus();
}

/** Closes the full-screen sheet, which would cover the focused element. */
function closeOnFocusLeave({ currentTarget: sheet, relatedTarget: next }: FocusEvent<HTMLElement>) {
  if (next && !sheet.contains(next)) sheet.hidePopover();
}

/** `popoverTarget` would do it, but not for a button that submits a form. */
function closeSheet() {
  document.getElementById(FILTERS_ID)?.hidePopover();
}

function FacetGroup({ facet, result, filters }: { facet: FacetName } & Omit<FacetPanelProps, "onClear">) {
  const selected = filters.getAll(facet);
  const options = result.facets[facet].map(({ value, tools }) => ({ value: String(value), tools }));
  // selected values stay visible, also without results
  const missing = selected.filter((value) => value && !options.some((option) => option.value === value));
  const single = singleFacets.includes(facet);
  // a facet without results has nothing to choose
  const isOpen = selected.some(Boolean) || options.some(({ tools }) => tools > 0);
  if (!isOpen && missing.length === 0) return null;
  return (
    <fieldset className="facet">
      <legend>{facetHeadings[facet]}</legend>
      {single && <FacetOption facet={facet} value="" label="Any" kind="radio" checked={!selected[0]} />}
      {[...options, ...missing.map((value) => ({ value, tools: 0 }))].map(({ value, tools }) => (
        <FacetOption
          key={value}
          facet={facet}
          value={value}
          label={valueLabel(facet, value)}
          kind={single ? "radio" : "checkbox"}
          checked={selected.includes(value)}
          tools={count(tools)}
          noun={tools === 1 ? "tool" : "tools"}
        />
      ))}
    </fieldset>
  );
}

interface FacetOptionProps {
  facet: FacetName;
  value: string;
  label: string;
  kind: "radio" | "checkbox";
  checked: boolean;
  tools?: string;
  /** for screen readers only, after the figure */
  noun?: string;
}

function FacetOption({ facet, value, label, kind, checked, tools, noun }: FacetOptionProps) {
  return (
    <label className="check">
      {/* the surrounding form handles changes */}
      <input type={kind} name={facet} value={value} checked={checked} onChange={() => {}} />
      {label}
      {tools && (
        <span>
          {tools}
          <i className="vh"> {noun}</i>
        </span>
      )}
    </label>
  );
}
