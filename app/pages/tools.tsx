import type { FormEvent, KeyboardEvent } from "react";
import { Form, redirect } from "react-router";
import { catalogueQuery } from "../../api/catalogue-calls.ts";
import { storefront } from "../context.ts";
import { pageTitle } from "../page-title.ts";
import { shownAsCard, shownAsRow } from "../tool/shown.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PAGES } from "../ui/pager.tsx";
import { SkipTo } from "../ui/skip-to.tsx";
import type { Route } from "./+types/tools";
import { queryMembers, toolsAddress, useChosen, withoutFacets } from "./tools/address.ts";
import { Bar, FOUND } from "./tools/bar.tsx";
import { FacetPanel } from "./tools/facet-panel.tsx";
import { NothingFound } from "./tools/nothing-found.tsx";
import { Results } from "./tools/results.tsx";

export const meta = () =>
  pageTitle(
    "Tools",
    "Every tool with its price, minimum order and stock. Made in our own factory, sold in quantity.",
  );

/** What the address asks for; an address that asks for nothing sensible leads to the whole catalogue. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const asked = catalogueQuery.safeParse(queryMembers(search));
  const result = asked.success && (await context.get(storefront).searchCatalogue(asked.data));
  if (!result) throw redirect("/tools");
  const view = search.get("view") === "grid" ? ("grid" as const) : ("list" as const);
  return { result: { ...result, tools: result.tools.map(view === "grid" ? shownAsCard : shownAsRow) }, view };
}

/** Found while one types: each change asks again, and the old results stay until the new ones are there. */
export default function ToolsPage({ loaderData: { result, view } }: Route.ComponentProps) {
  const { chosen, choose } = useChosen();
  const grouped = !chosen.get("q") && !chosen.get("sort");

  function take(event: FormEvent<HTMLFormElement>, typing: boolean) {
    choose(new URLSearchParams(new FormData(event.currentTarget) as never), typing);
  }
  const onChange = (event: FormEvent<HTMLFormElement>) =>
    take(event, (event.target as HTMLInputElement).type === "search");
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    take(event, false);
  };

  return (
    <main id="main" className="sheet">
      <Form className="cat__form" action="/tools" onChange={onChange} onSubmit={onSubmit}>
        {view === "grid" && <input type="hidden" name="view" value="grid" />}
        <div className="cat__top" data-toasts-below="">
          <h1 className="t-h1">Tools</h1>
          <SearchField value={chosen.get("q") ?? ""} />
        </div>
        <SkipTo id={FOUND}>Skip the filters</SkipTo>
        <div className="cat">
          <FacetPanel result={result} chosen={chosen} onClear={() => choose(withoutFacets(chosen), false)} />
          <div>
            <Bar result={result} chosen={chosen} view={view} />
            {(result.next || chosen.has("cursor")) && <SkipTo id={PAGES}>Skip to the pages</SkipTo>}
            {result.tools.length === 0 ? (
              <NothingFound chosen={chosen} without={result.without} />
            ) : (
              <Results result={result} view={view} grouped={grouped} />
            )}
            <Pages chosen={chosen} next={result.next} />
          </div>
        </div>
      </Form>
    </main>
  );
}

/** The search alone is announced as one: the filters and what was found stand beside it. */
function SearchField({ value }: { value: string }) {
  return (
    <search className="find" aria-label="Catalogue">
      <Icon name="search" />
      <input
        id="search"
        className="input"
        type="search"
        name="q"
        aria-label="Search the catalogue"
        placeholder="Name or item number"
        autoComplete="off"
        maxLength={200}
        value={value}
        onChange={() => {}}
        onKeyDown={toResults}
      />
      <Button type="submit" look="ink" size="sm">
        Search
      </Button>
    </search>
  );
}

/** The arrow down goes from the words to what they found. */
function toResults(event: KeyboardEvent) {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  document.querySelector<HTMLElement>("#results a.btn")?.focus();
}

function Pages({ chosen, next }: { chosen: URLSearchParams; next: string | undefined }) {
  const later = chosen.has("cursor");
  if (!later && !next) return null;
  return (
    <nav className="pages" aria-label="Pages" id={PAGES}>
      {later && (
        <ButtonLink size="sm" icon="left" to={toolsAddress(chosen)}>
          First page
        </ButtonLink>
      )}
      {next && (
        <ButtonLink size="sm" icon="right" to={toolsAddress(chosen, next)}>
          Next page
        </ButtonLink>
      )}
    </nav>
  );
}
