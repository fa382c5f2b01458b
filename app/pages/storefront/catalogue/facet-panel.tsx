import type { FocusEvent, ToggleEvent } from "react";
import type { CatalogueResult } from "../../../../api/catalogue-calls.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { count, counted } from "../../../components/format.ts";
import { type FacetName, facetHeadings, facetNames, singleFacets, valueLabel } from "./wording.ts";

export const FILTERS = "filters";

interface FacetPanelProps {
  result: CatalogueResult;
  chosen: URLSearchParams;
  onClear: () => void;
}

/** A column at the left; below 1024 px a full-screen popover, which works before hydration and without scripts. */
export function FacetPanel({ result, chosen, onClear }: FacetPanelProps) {
  return (
    <aside
      className="sheetup"
      id={FILTERS}
      popover="auto"
      aria-label="Filters"
      onBlur={closeBehindFocus}
      onToggle={takeFocus}
    >
      <div className="sheetup__hd">
        <h2 className="t-h3">Filters</h2>
        <IconButton icon="close" label="Close filters" popoverTarget={FILTERS} popoverTargetAction="hide" />
      </div>
      <div className="sheetup__bd">
        <div className="facets">
          {facetNames.map((facet) => (
            <FacetGroup key={facet} facet={facet} result={result} chosen={chosen} />
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
function takeFocus({ currentTarget: sheet, newState }: ToggleEvent<HTMLElement>) {
  if (newState === "open") sheet.querySelector("button")?.focus();
}

/** The full-screen sheet would cover the focused element, unlike the column. */
function closeBehindFocus({ currentTarget: sheet, relatedTarget: next }: FocusEvent<HTMLElement>) {
  if (next && !sheet.contains(next)) sheet.hidePopover();
}

/** The browser does it for buttons, but not for one that submits a form. */
function closeSheet() {
  document.getElementById(FILTERS)?.hidePopover();
}

function FacetGroup({ facet, result, chosen }: { facet: FacetName } & Omit<FacetPanelProps, "onClear">) {
  const picked = chosen.getAll(facet);
  const counted = result.facets[facet].map(({ value, tools }) => ({ value: String(value), tools }));
  // selected values stay visible, also without results
  const lost = picked.filter((value) => value && !counted.some((one) => one.value === value));
  const single = singleFacets.includes(facet);
  // without results there is nothing to narrow
  const isOpen = picked.some(Boolean) || counted.some(({ tools }) => tools > 0);
  if (!isOpen && lost.length === 0) return null;
  return (
    <fieldset className="facet">
      <legend>{facetHeadings[facet]}</legend>
      {single && <Choice facet={facet} value="" words="Any" kind="radio" checked={!picked[0]} />}
      {[...counted, ...lost.map((value) => ({ value, tools: 0 }))].map(({ value, tools }) => (
        <Choice
          key={value}
          facet={facet}
          value={value}
          words={valueLabel(facet, value)}
          kind={single ? "radio" : "checkbox"}
          checked={picked.includes(value)}
          tools={count(tools)}
          noun={tools === 1 ? "tool" : "tools"}
        />
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  facet: FacetName;
  value: string;
  words: string;
  kind: "radio" | "checkbox";
  checked: boolean;
  tools?: string;
  /** for screen readers only, after the figure */
  noun?: string;
}

function Choice({ facet, value, words, kind, checked, tools, noun }: ChoiceProps) {
  return (
    <label className="check">
      {/* the surrounding form handles changes */}
      <input type={kind} name={facet} value={value} checked={checked} onChange={() => {}} />
      {words}
      {tools && (
        <span>
          {tools}
          <i className="vh"> {noun}</i>
        </span>
      )}
    </label>
  );
}
