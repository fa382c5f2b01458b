import { counted, dollars } from "../../../components/format.ts";

/** What happened to the refund of all lines of an order; pending ones wait for the payment provider. */
export function orderRefunded(total: number, number: number, pendingLines: number): string {
  const amount = `${dollars(total)} of order ${number}`;
  return pendingLines === 0
    ? `${amount} refunded`
    : `Refund of ${amount} pending for ${counted(pendingLines, "line")}; sent when the payment provider responds`;
}
