import { type FormEvent, useEffect, useEffectEvent, useRef } from "react";
import { Form, redirect, useLocation } from "react-router";
import { catalogueQuery } from "../../../../api/catalogue-calls.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { PAGES } from "../../../components/pager.tsx";
import { CATALOGUE, SEARCH } from "../../../components/search-box.tsx";
import { SkipTo } from "../../../components/skip-to.tsx";
import { storefront } from "../../../data/loader-context.ts";
import { toCardProduct, toRowProduct } from "../../../data/product-projections.ts";
import type { Route } from "./+types/catalogue.ts";
import { RESULT_COUNT_ID, ResultsBar } from "./bar.tsx";
import { FacetPanel } from "./facet-panel.tsx";
import { catalogueUrl, queryMembers, useFilters, withoutFacets } from "./filters.ts";
import { NothingFound } from "./nothing-found.tsx";
import { Results } from "./results.tsx";

export const meta = () =>
  pageTitle(
    "Tools",
    "Every tool with its price, minimum order and stock. Made in our own factory, sold in quantity.",
  );

/** The filters of the URL; an invalid URL shows the whole catalogue. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const query = catalogueQuery.safeParse(queryMembers(search));
  const view = search.get("view") === "grid" ? ("grid" as const) : ("list" as const);
  const detail = view === "grid" ? "products" : "rows";
  const result = query.success && (await context.get(storefront).searchCatalogue(query.data, detail));
  if (!result) throw redirect("/tools");
  return {
    result: { ...result, tools: result.tools.map(view === "grid" ? toCardProduct : toRowProduct) },
    view,
  };
}

/** Searches while typing: each change sends a request, and the old results stay until the new ones arrive. */
export default function CataloguePage({ loaderData: { result, view } }: Route.ComponentProps) {
  const { filters, changeFilters } = useFilters();
  const grouped = !filters.get("q") && !filters.get("sort");

  const form = useRef<HTMLFormElement>(null);
  const applyForm = (typing: boolean) =>
    changeFilters(new URLSearchParams(new FormData(form.current ?? undefined) as never), typing);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    applyForm(false);
  };
  useSearchField(filters.get("q") ?? "", () => applyForm(true));

  return (
    <main id="main" className="sheet">
      <Form
        className="cat__form"
        id={CATALOGUE}
        action="/tools"
        ref={form}
        onChange={() => applyForm(false)}
        onSubmit={onSubmit}
      >
        {view === "grid" && <input type="hidden" name="view" value="grid" />}
        <div className="cat__top">
          <h1 className="t-h1">Tools</h1>
        </div>
        <SkipTo id={RESULT_COUNT_ID}>Skip to results</SkipTo>
        <div className="cat">
          <FacetPanel
            result={result}
            filters={filters}
            onClear={() => changeFilters(withoutFacets(filters), false)}
          />
          <div>
            <ResultsBar result={result} filters={filters} view={view} />
            {(result.next || filters.has("cursor")) && <SkipTo id={PAGES}>Skip to pagination</SkipTo>}
            {result.tools.length === 0 ? (
              <NothingFound filters={filters} without={result.without} />
            ) : (
              <Results result={result} view={view} grouped={grouped} />
            )}
            <Pagination filters={filters} next={result.next} />
          </div>
        </div>
      </Form>
    </main>
  );
}

/** Connects the header's search field to this page: it shows the text of the search, and typing in it searches. */
function useSearchField(text: string, onType: () => void): void {
  const isFirstPage = useLocation().key === "default";
  const onTypeEvent = useEffectEvent(onType);
  const onTypedEarly = useEffectEvent((field: HTMLInputElement) => {
    if (isFirstPage && field.value !== field.defaultValue) onType();
  });
  useEffect(() => {
    const field = document.getElementById(SEARCH) as HTMLInputElement | null;
    const onInput = () => onTypeEvent();
    // typed before hydration
    if (field) onTypedEarly(field);
    field?.addEventListener("input", onInput);
    field?.addEventListener("keydown", onArrowDown);
    return () => {
      field?.removeEventListener("input", onInput);
      field?.removeEventListener("keydown", onArrowDown);
    };
  }, []);
  useEffect(() => {
    const field = document.getElementById(SEARCH) as HTMLInputElement | null;
    if (field && field.value !== text) field.value = text;
  }, [text]);
}

/** Arrow down moves from the text to the results. */
function onArrowDown(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  document.querySelector<HTMLElement>("#results a.btn")?.focus();
}

function Pagination({ filters, next }: { filters: URLSearchParams; next: string | undefined }) {
  const hasPrevious = filters.has("cursor");
  if (!hasPrevious && !next) return null;
  return (
    <nav className="pages" aria-label="Pages" id={PAGES}>
      {hasPrevious && (
        <ButtonLink size="sm" icon="left" to={catalogueUrl(filters)}>
          First page
        </ButtonLink>
      )}
      {next && (
        <ButtonLink size="sm" icon="right" to={catalogueUrl(filters, next)}>
          Next page
        </ButtonLink>
      )}
    </nav>
  );
}
