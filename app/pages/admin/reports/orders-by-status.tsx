import { Link } from "react-router";
import type { Overview } from "../../../../api/overview.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { type Part, StackBar, Swatch } from "../../../components/chart/stack-bar.tsx";
import { count, counted } from "../../../components/format.ts";
import { Picture } from "../../../components/picture.tsx";

/** The number of order lines by status, and products with low stock. */
export function OrdersByStatus({ data: { statuses, lowStock } }: { data: Overview }) {
  const all = statuses.unpaid + statuses.paid + statuses.shipped + statuses.refunded;
  const parts: Part[] = [
    { id: "unpaid", label: labels.orders.unpaid, value: statuses.unpaid, fill: "hatched" },
    { id: "paid", label: "Paid, to ship", value: statuses.paid, fill: "grey" },
    { id: "shipped", label: labels.orders.shipped, value: statuses.shipped, fill: "solid" },
  ];
  if (statuses.refunded > 0)
    parts.push({ id: "refunded", label: "Refunded", value: statuses.refunded, fill: "empty" });
  return (
    <section className="chart w4">
      <div className="chart__hd">
        <h2 className="t-h3">Order lines by status</h2>
        <span className="t-label">{counted(all, "line")}</span>
      </div>
      {all > 0 && (
        <StackBar
          parts={parts}
          summary={parts.map(({ value, label }) => `${count(value)} ${label}`).join("; ")}
        />
      )}
      <table className="parts">
        <caption className="vh">Order lines by status</caption>
        <tbody>
          {parts.map((part) => (
            <tr key={part.id}>
              <th scope="row">
                <span className="parts__name">
                  <Swatch fill={part.fill} />
                  <Link className="link" to={`/dashboard/manageOrder?status=${part.id}`}>
                    {part.label}
                  </Link>
                </span>
              </th>
              <td className="num">
                <b>{count(part.value)}</b>
              </td>
              <td className="num muted">{all > 0 ? share(part.value / all) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <LowStock lowStock={lowStock} />
    </section>
  );
}

/** In whole percent; a part is never rounded to 0% or 100%. */
function share(part: number): string {
  if (part > 0 && part < 0.01) return "<1%";
  if (part > 0.99 && part < 1) return ">99%";
  return `${Math.round(part * 100)}%`;
}

function LowStock({ lowStock: { all, least } }: { lowStock: Overview["lowStock"] }) {
  return (
    <div className="low">
      <div className="low__hd">
        <h3 className="t-label">Stock below four minimum orders</h3>
        {all > least.length && (
          <Link className="link t-sm" to="/dashboard/manageProduct?low=1&sort=stock">
            All {count(all)}
          </Link>
        )}
      </div>
      {all === 0 && <p className="t-sm soft">No tools are low in stock.</p>}
      <ul>
        {least.map((tool) => (
          <li className="hbar" key={tool._id}>
            <span className="item__pic">
              <Picture src={tool.picture} alt="" />
            </span>
            <span>
              <Link className="link low__name" to={`/dashboard/editProduct/${tool._id}`}>
                {tool.name}
              </Link>
              <span className="low__note num">
                {count(tool.quantity)} left, minimum order {count(tool.minimum_order)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
