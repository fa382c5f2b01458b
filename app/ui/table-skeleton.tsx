import { Skeleton } from "./states.tsx";

/** Rows on their way, in the height of the real ones. `pictures` for rows that start with a thumbnail. */
export function TableSkeleton({ rows = 8, pictures = true }: { rows?: number; pictures?: boolean }) {
  return (
    <div className="rows-sk" role="status">
      <span className="vh">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <div className="rows-sk__row" key={index}>
          {pictures && <Skeleton className="rows-sk__pic" />}
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="rows-sk__end h-4 w-1/12" />
        </div>
      ))}
    </div>
  );
}
