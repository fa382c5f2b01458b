import { type ReactNode, useEffect, useRef } from "react";
import type { LoaderResult } from "../data/use-loader-result.ts";
import { classNames } from "./class-names.ts";
import { QueryBoundary } from "./query-boundary.tsx";
import { useListener } from "./use-listener.ts";

export interface ListViewProps<Value> {
  loaded: LoaderResult<Value>;
  /** shown before the reason of a failure */
  failed?: string | undefined;
  isEmpty: (data: Value) => boolean;
  empty: ReactNode;
  /** announced after each load: "25 of 218 orders" */
  announcement: (data: Value) => string;
  /** shown for a refusal, which a retry does not change */
  refused?: ((reason: string) => ReactNode) | undefined;
  children: (data: Value) => ReactNode;
}

/** A loaded list: a failure with Try again, an empty state, or the rows. */
export function ListView<Value>(props: ListViewProps<Value>) {
  const { loaded, failed, isEmpty, empty, announcement, refused, children } = props;
  const { data, loading } = loaded;
  const list = usePreservedFocus(data);
  return (
    <>
      <p className="vh" role="status">
        {data && !loading ? announcement(data) : ""}
      </p>
      <QueryBoundary loaded={loaded} failed={failed} refused={refused}>
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

/** When the focused row disappears or the page changes, the list takes the focus. */
function usePreservedFocus(data: unknown) {
  const list = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useListener("focusin", ({ target }) => {
    wasInside.current = list.current?.contains(target as Node) ?? false;
  });
  useEffect(() => {
    const at = document.activeElement;
    if (data && wasInside.current && (at === document.body || at?.closest(".pages")))
      list.current?.focus({ preventScroll: true });
  }, [data]);
  return list;
}
