import type { ComponentProps, ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { countUpTo } from "../../components/count-up-to.ts";
import { count } from "../../components/format.ts";
import { ListView } from "../../components/list-view.tsx";
import { PAGES, Pager } from "../../components/pager.tsx";
import { Panel } from "../../components/panel.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { SkipTo } from "../../components/skip-to.tsx";
import { EmptyState } from "../../components/states.tsx";
import { type Column, Table } from "../../components/table.tsx";
import type { ListParams } from "../../data/use-list-params.ts";
import type { LoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";

interface ListPage {
  next?: string | undefined;
  previous?: string | undefined;
  /** the number at which counting ended */
  countLimit?: number | undefined;
}

interface ListTableProps<Row, Value> {
  loaded: LoaderResult<Value>;
  address: ListParams;
  rows: (data: Value) => Row[];
  /** announced after each load: "25 of 218 orders" */
  total?: (data: Value) => number;
  noun: string;
  caption: string;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  empty: ReactNode;
  className?: string;
}

/** A page of a list as a table, with a pager; the position is in the address. */
export function ListTable<Row, Value extends ListPage>(props: ListTableProps<Row, Value>) {
  const { loaded, address, rows, total, noun, empty, ...table } = props;
  useRevalidateOnReturn();
  return (
    <ListView
      loaded={loaded}
      isEmpty={(data) => rows(data).length === 0}
      empty={address.get("cursor") ? <NoRowsHere address={address} noun={noun} /> : empty}
      announcement={(data) =>
        [count(rows(data).length), total && `of ${countUpTo(total(data), data.countLimit)}`, noun]
          .filter(Boolean)
          .join(" ")
      }
    >
      {(data) => (
        <>
          {(data.previous || data.next) && <SkipTo id={PAGES}>Skip to pagination</SkipTo>}
          <Panel flush>
            <Table {...table} rows={rows(data)} />
          </Panel>
          <Pager
            previous={data.previous && address.to({ cursor: data.previous })}
            next={data.next && address.to({ cursor: data.next })}
          />
        </>
      )}
    </ListView>
  );
}

/** In place of the rows of a page whose rows were removed, or no longer match, since its link was shown. */
function NoRowsHere({ address, noun }: Pick<ListTableProps<never, never>, "address" | "noun">) {
  return (
    <EmptyState
      drawing={false}
      title="Nothing left on this page"
      action={<Button onClick={() => address.set({})}>First page</Button>}
    >
      Its {noun} have changed since.
    </EmptyState>
  );
}

interface NoMatchesProps extends Omit<ComponentProps<typeof EmptyState>, "action"> {
  address: ListParams;
  /** the parameters that filter the list, and `sort` if its choices depend on them */
  filters: readonly string[];
  /** the label of the button that removes them: "Show all users" */
  showAll: string;
  /** shown instead if the list is not filtered */
  unfiltered?: ReactNode;
}

/** In place of the rows of an empty list. */
export function NoMatches({ address, filters, showAll, unfiltered, ...state }: NoMatchesProps) {
  const isFiltered = filters.some((name) => name !== "sort" && address.get(name));
  if (unfiltered && !isFiltered) return unfiltered;
  const clear = () => address.set(Object.fromEntries(filters.map((name) => [name, undefined])));
  return <EmptyState {...state} action={<Button onClick={clear}>{showAll}</Button>} />;
}

interface ListSearchProps {
  address: ListParams;
  /** for screen readers: "Search orders" */
  label: string;
  placeholder: string;
}

/** Searches the list while typing; the text is in the address. */
export function ListSearch({ address, ...field }: ListSearchProps) {
  return (
    <SearchField
      {...field}
      value={address.get("q") ?? ""}
      onSearch={(text) => address.set({ q: text }, { replace: true })}
    />
  );
}
