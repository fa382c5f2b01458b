import type { ReactNode } from "react";
import type { Called } from "../use-call.ts";
import { classNames } from "./class-names.ts";
import { ErrorState } from "./states.tsx";
import { TableSkeleton } from "./table-skeleton.tsx";

interface ListFrameProps<Value> {
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
  const { data, failure, loading, reload } = called;
  return (
    <>
      <p className="vh" role="status">
        {data && !loading ? news(data) : ""}
      </p>
      {failure && <ErrorState onRetry={reload}>{failure.detail}</ErrorState>}
      {!data && !failure && (
        <div className="panel">
          <TableSkeleton pictures={pictures} />
        </div>
      )}
      {data && !failure && (
        <div className={classNames("listed", loading && "is-stale")} aria-busy={loading}>
          {isEmpty(data) ? <div className="panel">{empty}</div> : children(data)}
        </div>
      )}
    </>
  );
}
