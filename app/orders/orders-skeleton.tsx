import { Skeleton } from "../ui/states.tsx";

const rows = ["one", "two", "three", "four"];

/** The table of orders before it is there, in its own geometry. */
export function OrdersSkeleton() {
  return (
    <div className="panel orders-sk" role="status">
      <span className="vh">Loading your orders</span>
      {rows.map((row) => (
        <div key={row} className="orders-sk__row">
          <Skeleton className="orders-sk__pic" />
          <Skeleton className="orders-sk__name" />
          <Skeleton className="orders-sk__figure" />
          <Skeleton className="orders-sk__status" />
          <Skeleton className="orders-sk__action" />
        </div>
      ))}
    </div>
  );
}
