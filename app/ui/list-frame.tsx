import { type ReactNode, useEffect, useRef } from "react";
import type { Called } from "../use-call.ts";
import { CallFrame } from "./call-frame.tsx";
import { classNames } from "./class-names.ts";
import { TableSkeleton } from "./table-skeleton.tsx";

export interface ListFrameProps<Value> {
  called: Called<Value>;
  /** what stands in the skeleton's rows */
  pictures?: boolean;
  isEmpty: (data: Value) => boolean;
  empty: ReactNode;
  /** said by a screen reader when another answer is there: "25 of 218 orders" */
  news: (data: Value) => string;
  children: (data: Value) => ReactNode;
}

/** A list that a call answers: its skeleton, its failure with a way to try again, its emptiness, its rows. */
export function ListFrame<Value>(props: ListFrameProps<Value>) {
  const { called, pictures = true, isEmpty, empty, news, children } = props;
  const { data, loading } = called;
  const list = useKeptFocus(data);
  const skeleton = (
    <div className="panel">
      <TableSkeleton pictures={pictures} />
    </div>
  );
  return (
    <>
      <p className="vh" role="status">
        {data && !loading ? news(data) : ""}
      </p>
      <CallFrame called={called} waiting={skeleton}>
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
      </CallFrame>
    </>
  );
}

/**
 * When the row that had the focus is gone, or another page was turned to, the list takes it: a keyboard neither starts
 * at the top of the page again, nor stays at the end of what is now out of sight.
 */
function useKeptFocus(data: unknown) {
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
