import { cheaperQuantity, type Orderable } from "../../../../shop/pricing/rules.ts";
import { Button } from "../../../components/button.tsx";
import { count, dollars } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";

interface PriceBreaksProps {
  product: Orderable;
  /** null if it is invalid: then no row is active, and there is no advice */
  quantity: number | null;
  onChoose: (quantity: number) => void;
}

/** The price breaks, and whether a larger quantity would cost less. */
export function PriceBreaks({ product, quantity, onChoose }: PriceBreaksProps) {
  const { price_cents: list, minimum_order: minimum, price_breaks: breaks, quantity: stock } = product;
  const steps = [
    { quantity: minimum, price_cents: list },
    ...breaks.filter((step) => step.quantity <= stock),
  ];
  if (steps.length === 1) return null;
  const active = quantity === null ? -1 : steps.findLastIndex((step) => step.quantity <= quantity);
  const cheaper = quantity === null ? null : cheaperQuantity(product, quantity);
  return (
    <div className="breaks">
      <table>
        <caption className="vh">Price breaks</caption>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
            <th scope="col">Price per piece</th>
            <th scope="col">Off list</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => {
            const next = steps[index + 1];
            const off = Math.round((1 - step.price_cents / list) * 100);
            return (
              <tr key={step.quantity} aria-current={index === active ? "true" : undefined}>
                <th scope="row">
                  {next
                    ? `${count(step.quantity)} to ${count(next.quantity - 1)}`
                    : `${count(step.quantity)}+`}
                </th>
                <td>{dollars(step.price_cents / 100)}</td>
                <td>{index === 0 ? "list" : `−${off}%`}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div role="status">
        {cheaper && (
          <div className="adviser">
            <Icon name="info" />
            <p>
              {count(cheaper.quantity)} cost <b>{dollars(cheaper.savesCents / 100)} less</b> than{" "}
              {count(quantity ?? 0)}.
            </p>
            <Button size="sm" onClick={() => onChoose(cheaper.quantity)}>
              Take {count(cheaper.quantity)}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
