import { formatMoney } from "../../../shop/money.ts";
import { Fact } from "../../components/fact.tsx";
import type { OrderLine } from "./order-lines-table.tsx";
import { lineCents } from "./sum-cents.ts";

/** Facts about lines that are not cancelled; none if no price break applied. */
export function SavedByPriceBreaks({ lines }: { lines: OrderLine[] }) {
  const active = lines.filter(({ cancelledAt }) => !cancelledAt);
  const sum = (priceOf: (line: OrderLine) => number) =>
    active.reduce((cents, line) => cents + lineCents(line.purchaseQuantity, priceOf(line)), 0);
  const list = sum(({ listPrice, price }) => listPrice ?? price);
  const saved = list - sum(({ price }) => price);
  if (saved <= 0) return null;
  return (
    <>
      <Fact label="At list price" value={formatMoney(list)} />
      <Fact label="Saved by price breaks" value={`\u2212${formatMoney(saved)}`} tone="ok" />
    </>
  );
}
