import type { ReactNode } from "react";
import type { Outcome } from "../../../api/outcome.ts";
import { PageHead } from "../../components/page-head.tsx";
import { SearchField, type SearchFieldProps } from "../../components/search-field.tsx";
import { Tabs, type TabsProps } from "../../components/tabs.tsx";
import { type ListParams, useListParams } from "../../data/use-list-params.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { ExportLink } from "./export-link.tsx";
import {
  type ListPageData,
  ListTable,
  type ListTableProps,
  NoMatches,
  type NoMatchesProps,
} from "./list-table.tsx";

type Search = Record<string, string | undefined>;

/** The list of a page: its data, and the search in the URL, as `readSearch` reads it for the loader too. */
export function useList<Value>(
  outcome: Outcome<Value>,
  readSearch: (params: Pick<ListParams, "get">) => Search,
) {
  const params = useListParams();
  return { params, search: readSearch(params), loaded: useLoaderResult(outcome) };
}

interface ListPageProps<Row, Value> extends Omit<ListTableProps<Row, Value>, "empty" | "total"> {
  search: Search;
  title: string;
  fact: ReactNode;
  exportPath: string;
  searchField: Omit<SearchFieldProps, "params">;
  /** before and after the search field */
  filter?: ReactNode;
  order?: ReactNode;
  tabs?: Omit<TabsProps, "params" | "countLimit">;
  noMatches: Omit<NoMatchesProps, "params" | "filters">;
  /** above the list */
  children?: ReactNode;
}

/** A page with a list that can be searched, filtered and exported. */
export function ListPage<Row, Value extends ListPageData>(props: ListPageProps<Row, Value>) {
  const { params, search, tabs } = props;
  const tab = tabs?.items.find(([value]) => value === search[tabs.name]);
  return (
    <>
      <PageHead {...props} action={<ExportLink path={props.exportPath} query={search} />} />
      {props.children}
      <div className="listbar">
        {props.filter}
        <SearchField {...props.searchField} params={params} />
        {props.order}
      </div>
      {tabs && <Tabs {...tabs} params={params} countLimit={props.loaded.data?.countLimit} />}
      <ListTable
        {...props}
        total={tab?.[2]}
        empty={
          <NoMatches
            {...props.noMatches}
            params={params}
            filters={Object.keys(search).filter((name) => name !== "sort")}
          />
        }
      />
    </>
  );
}
