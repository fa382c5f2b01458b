import type { ComponentProps, ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { countUpTo } from "../../components/count-up-to.ts";
import { count } from "../../components/format.ts";
import { ListView } from "../../components/list-view.tsx";
import { PAGES, Pager } from "../../components/pager.tsx";
import { Panel } from "../../components/panel.tsx";
import { SkipTo } from "../../components/skip-to.tsx";
import { EmptyState } from "../../components/states.tsx";
import { type Column, Table } from "../../components/table.tsx";
import type { ListParams } from "../../data/use-list-params.ts";
import type { LoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";

export interface ListPageData {
  next?: string | undefined;
  previous?: string | undefined;
  /** the number at which counting ended */
  countLimit?: number | undefined;
}

export interface ListTableProps<Row, Value> {
  loaded: LoaderResult<Value>;
  params: ListParams;
  rows: (data: Value) => Row[];
  /** announced after each load: "25 of 218 orders" */
  total?: number | undefined;
  noun: string;
  caption: string;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  empty: ReactNode;
  className?: string;
}

/** A page of a list as a table, with a pager; the position is in the URL. */
export function ListTable<Row, Value extends ListPageData>(props: ListTableProps<Row, Value>) {
  const { loaded, params, rows, total, noun, empty, ...table } = props;
  useRevalidateOnReturn();
  const isBadCursor = loaded.failure?.fields?.cursor !== undefined;
  const toFirstPage = (title: string, text: string) => (
    <EmptyState
      drawing={false}
      title={title}
      action={<Button onClick={() => params.set({})}>First page</Button>}
    >
      {text}
    </EmptyState>
  );
  return (
    <ListView
      loaded={loaded}
      isEmpty={(data) => rows(data).length === 0}
      empty={
        params.get("cursor")
          ? toFirstPage("Nothing left on this page", `Its ${noun} have changed since.`)
          : empty
      }
      refused={
        isBadCursor
          ? (reason) => <div className="panel">{toFirstPage("No such page", reason)}</div>
          : undefined
      }
      announcement={(data) =>
        [count(rows(data).length), total !== undefined && `of ${countUpTo(total, data.countLimit)}`, noun]
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
            previous={data.previous && params.to({ cursor: data.previous })}
            next={data.next && params.to({ cursor: data.next })}
          />
        </>
      )}
    </ListView>
  );
}

export interface NoMatchesProps extends Omit<ComponentProps<typeof EmptyState>, "action"> {
  params: ListParams;
  /** the parameters that filter the list, and `sort` if its choices depend on them */
  filters: readonly string[];
  /** the label of the button that removes them: "Show all users" */
  showAll: string | undefined;
  /** shown instead if the list is not filtered */
  unfiltered?: ReactNode;
}

/** In place of the rows of an empty list. */
export function NoMatches({ params, filters, showAll, unfiltered, ...state }: NoMatchesProps) {
  const isFiltered = filters.some((name) => name !== "sort" && params.get(name));
  if (unfiltered && !isFiltered) return unfiltered;
  const clear = () => params.set(Object.fromEntries(filters.map((name) => [name, undefined])));
  return <EmptyState {...state} action={showAll && <Button onClick={clear}>{showAll}</Button>} />;
}
