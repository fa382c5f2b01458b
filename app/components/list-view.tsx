import { type ReactNode, useEffect, useRef } from "react";
import type { LoaderResult } from "../data/use-loader-result.ts";
import { classNames } from "./class-names.ts";
import { QueryBoundary } from "./query-boundary.tsx";

export interface ListFrameProps<Value> {
  loaded: LoaderResult<Value>;
  isEmpty: (data: Value) => boolean;
  empty: ReactNode;
  /** announced after each load: "25 of 218 orders" */
  news: (data: Value) => string;
  children: (data: Value) => ReactNode;
}

/** A list that a loader brought: its failure with a way to try again, its emptiness, its rows. */
export function ListView<Value>(props: ListFrameProps<Value>) {
  const { loaded, isEmpty, empty, news, children } = props;
  const { data, loading } = loaded;
  const list = usePreservedFocus(data);
  return (
    <>
      <p className="vh" role="status">
        {data && !loading ? news(data) : ""}
      </p>
      <QueryBoundary loaded={loaded}>
        {(shown) => (
          <div
            className={classNames("listed", loading && "is-stale")}
            aria-busy={loading}
            tabIndex={-1}
            ref={list}
          >
            {isEmpty(shown) ? <div className="panel">{empty}</div> : children(shown)}
          </div>
        )}
      </QueryBoundary>
    </>
  );
}

/**
 * When the row that had the focus is gone, or another page was turned to, the list takes it: a keyboard neither starts
 * at the top of the page again, nor stays at the end of what is now out of sight.
 */
function usePreservedFocus(data: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      wasInside.current = list.current?.contains(event.target as Node) ?? false;
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, []);
  useEffect(() => {
    const at = document.activeElement;
    if (data && wasInside.current && (at === document.body || at?.closest(".pages")))
      list.current?.focus({ preventScroll: true });
  }, [data]);
  return list;
}
