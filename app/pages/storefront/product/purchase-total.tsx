import { formatMoney, toCents } from "../../../../shop/money.ts";
import { count } from "../../../components/format.ts";
import { totalCents } from "./order-total.ts";

interface PurchaseTotalProps {
  /** null if it cannot be ordered: then there is no total */
  quantity: number | null;
  price: number;
}

/** The live total with its calculation: "12 × $129.50 = $1,554.00". */
export function PurchaseTotal({ quantity, price }: PurchaseTotalProps) {
  const total = totalCents(quantity, price);
  const sum = total === null ? "–" : formatMoney(total);
  return (
    <div className="total total--formula">
      <div>
        <span className="t-label">Total</span>
        <span className="soft t-sm">Pay later under My Orders</span>
      </div>
      <output>
        <span className="t-label num">
          {total === null ? "" : `${count(quantity ?? 0)} × ${formatMoney(toCents(price) ?? 0)} = `}
        </span>
        <span className="total__sum">{sum}</span>
      </output>
    </div>
  );
}
