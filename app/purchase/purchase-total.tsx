import { formatMoney, toCents } from "../../shop/money.ts";
import { classNames } from "../ui/class-names.ts";
import { count } from "../ui/format.ts";
import { totalCents } from "./sums.ts";

/** "$999,999.99", the most that one order can cost; what is typed on the way there may come to more. */
const USUAL_LENGTH = 11;

/** The live total, in words of the price: "12 × $129.50 = $1,554.00". */
export function PurchaseTotal({ quantity, price }: { quantity: number | null; price: number }) {
  const total = totalCents(quantity, price);
  const sum = formatMoney(total ?? 0);
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
        <span className={classNames("total__sum", sum.length > USUAL_LENGTH && "is-long")}>{sum}</span>
      </output>
    </div>
  );
}
