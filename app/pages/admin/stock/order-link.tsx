import { Link } from "react-router";

export function OrderLink({ number }: { number: number }) {
  return (
    <Link className="link" to={`/dashboard/order/${number}`}>
      Order {number}
    </Link>
  );
}
