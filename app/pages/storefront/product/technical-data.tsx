import type { Product } from "../../../../api/entities.ts";

/** In the manufacturer's order. Renders nothing without data. */
export function TechnicalData({ product }: { product: Product }) {
  const rows = [
    ...(product.powerSource ? [{ name: "Power", value: product.powerSource }] : []),
    ...(product.technicalData ?? []),
  ];
  if (rows.length === 0) return null;
  return (
    <table className="specs">
      <caption className="vh">Technical data</caption>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td>{row.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
