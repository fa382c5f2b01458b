import { Link } from "react-router";
import { Icon, type IconName } from "../../components/icon.tsx";

const places: { label: string; to: string; icon: IconName }[] = [
  { label: "All tools", to: "/tools", icon: "search" },
  { label: "An earlier order", to: "/dashboard/orders", icon: "retry" },
];

export function StartFrom() {
  return (
    <aside className="cart-side" aria-labelledby="cart-start">
      <section className="panel po">
        <div className="panel__hd">
          <h2 className="t-h3" id="cart-start">
            Start from
          </h2>
        </div>
        <ul className="cart-start">
          {places.map(({ label, to, icon }) => (
            <li key={to}>
              <Link to={to} prefetch="intent">
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <p className="hint when-out">
        No account needed yet: checkout asks you to log in, and the cart comes along.
      </p>
    </aside>
  );
}
